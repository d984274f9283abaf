//! From a call frame to the entry of the table.

use serde_json::Value as Json;

use super::args::Args;
use super::bind::{bind, check};
use super::domain::Domain;
use super::fault::Fault;
use super::objects::Remark;
use super::session::Session;
use super::table::{Chapter, Command, Language, Modes};
use super::value::{decode, Handle, Value};

/// Performs the call `[what, file, line, target, arguments, named arguments]`; more is not for us.
pub fn dispatch(language: &Language, session: &mut Session, call: &Json, raw: &[u8]) -> Result<Value, Fault> {
    let foreign = || Fault::runtime("call is not of the deck protocol");
    let class = |name: &str| language.class(name).map(|c| c.name);
    let [what, file, line, target, args, named, ..] = call.as_array().map_or(&[][..], Vec::as_slice) else {
        return Err(foreign());
    };
    if what == "release" {
        args.as_array()
            .into_iter()
            .flatten()
            .filter_map(Json::as_u64)
            .for_each(|domain| session.release(domain as usize));
        return Ok(Value::None);
    }
    session.place.at(file.as_str().unwrap_or_default(), line.as_u64().unwrap_or(0) as u32);
    let value = |json: &Json| decode(json, raw, &class).ok_or_else(foreign);
    let args = args.as_array().ok_or_else(foreign)?;
    let args: Vec<Value> = args.iter().map(value).collect::<Result<_, _>>()?;
    let named = named.as_object().ok_or_else(foreign)?;
    let named: Vec<(String, Value)> =
        named.iter().map(|(name, json)| Ok((name.clone(), value(json)?))).collect::<Result<_, Fault>>()?;
    if what == "note" {
        return Ok(remark(session, "note", converted(target.as_str().unwrap_or_default())));
    }
    if what == "remark" {
        return Ok(remark(session, "python2", target.as_str().unwrap_or_default().into()));
    }
    if what == "restarted" {
        return Ok(Value::Bool(session.domains.iter().any(Domain::restarted)));
    }
    if what == "wait" {
        return Ok(Value::None);
    }
    if what == "call" {
        let name = target.as_str().ok_or_else(foreign)?;
        name.clone_into(&mut session.command);
        return match language.command(name) {
            Some(command) => command_call(session, command, args, named),
            None => Err(refuse(language, name)),
        };
    }
    let [key, name] = target.as_array().map_or(&[][..], Vec::as_slice) else {
        return Err(foreign());
    };
    let object = Value::Handle(Handle {
        class: key.get(0).and_then(Json::as_str).and_then(class).ok_or_else(foreign)?,
        key: [1, 2].map(|at| key.get(at).and_then(Json::as_u64).unwrap_or(u64::MAX)),
    });
    let name = name.as_str().ok_or_else(foreign)?;
    match (object, what.as_str()) {
        (Value::Handle(object), Some("method")) => method(language, session, object, name, args, named),
        (Value::Handle(object), Some("get")) => member(language, session, object, name, None),
        (Value::Handle(object), Some("set")) => member(language, session, object, name, args.into_iter().next()),
        _ => Err(foreign()),
    }
}

/// The deck runs in Python 2 mood, for this reason.
fn converted(why: &str) -> String {
    format!("Python 2 deck ({why}), converted on the fly; 'sf-build --convert-deck' writes it as Python 3")
}

fn remark(session: &mut Session, kind: &'static str, text: String) -> Value {
    session.remarks.push(Remark { kind, text });
    Value::None
}

fn command_call(
    session: &mut Session,
    command: &'static Command,
    args: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Result<Value, Fault> {
    if !matches!(command.chapter, Chapter::Geometry | Chapter::Solvers | Chapter::Environment) {
        session.refuse_within_step()?;
    }
    let args = bind(command.args, args, named)?;
    args.all_handles().try_for_each(|handle| session.check_alive(handle))?;
    if command.modes == Modes::WriteOnly && reads(session, &args) {
        return Ok(Value::None);
    }
    args.all_handles().try_for_each(|handle| session.awaken(handle))?;
    (command.run)(session, &args)
}

/// Whether the first object that a call names belongs to a SOLFEC object in READ mode.
fn reads(session: &mut Session, args: &Args) -> bool {
    let mut objects = args.all_handles().filter(|handle| ["SOLFEC", "BODY", "CONSTRAINT"].contains(&handle.class));
    let first = objects.next();
    first.is_some_and(|object| session.domain(object).is_ok_and(|domain| domain.reads()))
}

/// Why a command cannot be called.
fn refuse(language: &Language, name: &str) -> Fault {
    if !language.absent.iter().any(|absent| absent.name == name) {
        return Fault::runtime("unknown command");
    }
    Fault::runtime("is a command of Solfec 1.0 that this version does not have; docs/commands.md lists what there is")
}

fn method(
    language: &Language,
    session: &mut Session,
    object: Handle,
    name: &str,
    args: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Result<Value, Fault> {
    session.command = format!("{}.{name}", object.class);
    let class = language.class(object.class);
    let method = class.and_then(|c| c.methods.iter().find(|m| m.name == name));
    let method = method.ok_or_else(|| Fault::runtime("unknown method"))?;
    let args = bind(method.args, args, named)?;
    (method.run)(session, object, &args)
}

fn member(
    language: &Language,
    session: &mut Session,
    object: Handle,
    name: &str,
    assigned: Option<Value>,
) -> Result<Value, Fault> {
    session.command = format!("{}.{name}", object.class);
    let class = language.class(object.class);
    let member = class.and_then(|c| c.members.iter().find(|m| m.name == name));
    let member = member.ok_or_else(|| Fault::runtime("unknown member"))?;
    session.check_alive(object)?;
    match (assigned, &member.set) {
        (None, _) => (member.get)(session, object),
        (Some(value), Some((kind, set))) => {
            session.refuse_within_step()?;
            let value = check(kind, value).map_err(|fault| fault.about("value"))?;
            session.awaken(object)?;
            set(session, object, &value).map(|()| Value::None)
        }
        (Some(_), None) => {
            let members = class.map_or(&[][..], |class| class.members);
            let others: Vec<&str> = members.iter().filter(|m| m.set.is_some()).map(|m| m.name).collect();
            let remedy = match &others[..] {
                [] => "no member of it can be assigned".to_string(),
                others => format!("those that can be assigned are {}", others.join(", ")),
            };
            Err(Fault::value(format!("is read-only; {remedy}")))
        }
    }
}
