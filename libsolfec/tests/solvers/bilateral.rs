mod solvers {}
