//! Messages of numbers: words of eight bytes, the least significant first.

use super::Communicator;

/// Sends a copy of these words.
pub fn send_words(comm: &dyn Communicator, to: usize, tag: u32, words: &[u64]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    comm.send(to, tag, &bytes);
}

/// The words of the next message of `from` with `tag`, behind those that are there.
pub fn receive_words(comm: &dyn Communicator, from: usize, tag: u32, words: &mut Vec<u64>) {
    let mut message = Vec::new();
    comm.receive(from, tag, &mut message);
    words.extend(message.chunks_exact(8).map(|word| u64::from_le_bytes(std::array::from_fn(|k| word[k]))));
}

/// Sends a copy of these numbers.
pub fn send_numbers(comm: &dyn Communicator, to: usize, tag: u32, numbers: &[f64]) {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    comm.send(to, tag, &bytes);
}

/// The numbers of the next message of `from` with `tag`, behind those that are there.
pub fn receive_numbers(comm: &dyn Communicator, from: usize, tag: u32, numbers: &mut Vec<f64>) {
    let mut message = Vec::new();
    comm.receive(from, tag, &mut message);
    numbers.extend(message.chunks_exact(8).map(|word| f64::from_le_bytes(std::array::from_fn(|k| word[k]))));
}
