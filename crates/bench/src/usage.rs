use std::fs;

use crate::Failure;

/// Ticks of the kernel's clock in a second, as it shows them to programs: the same on every Linux that this runs on.
const TICKS: f64 = 100.0;

/// CPU time that a process has used, in seconds.
pub(crate) fn cpu(process: u32) -> Result<f64, Failure> {
    let text = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name of the program stands in brackets and may contain anything.
    let (_, fields) = text.rsplit_once(')').ok_or("a process without a name")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = |index: usize| -> Result<f64, Failure> {
        Ok(fields.get(index).ok_or("a field is missing")?.parse::<f64>()?)
    };
    Ok((ticks(11)? + ticks(12)?) / TICKS)
}

/// Memory of a process that lies in RAM, in bytes.
pub(crate) fn memory(process: u32) -> Result<u64, Failure> {
    let text = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib * 1024)
}
