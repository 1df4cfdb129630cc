use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use chickenfoot_bot::{Client, Error};
use chickenfoot_protocol::v1;

use super::args::Format;
use crate::error::Failure;

/// Where the reports of a run go.
pub(crate) enum Reports {
    /// Nowhere.
    None,
    /// One report, in one file.
    File(PathBuf, Format),
    /// A report of every form, named as the tournament's file.
    Directory(PathBuf),
}

impl Reports {
    /// What `--output` means for a run of so many tournaments.
    ///
    /// # Errors
    /// It cannot be meant: the file's name tells no form, or a file is to hold the reports of several tournaments.
    pub(crate) fn plan(output: Option<&Path>, tournaments: usize) -> Result<Reports, Failure> {
        let Some(path) = output else {
            return Ok(Reports::None);
        };
        // A name that ends with a slash has no other end.
        let text = path.to_string_lossy();
        if path.is_dir() || text.ends_with(std::path::is_separator) {
            return Ok(Reports::Directory(path.to_owned()));
        }
        let all = [Format::Json, Format::Csv, Format::Html];
        let extension = path.extension().unwrap_or_default();
        let Some(format) = all.into_iter().find(|format| extension == format.extension()) else {
            return Err(Failure::Usage(format!(
                "--output {text}: a report's name ends with .json, .csv or .html, that of a directory with a slash"
            )));
        };
        if tournaments > 1 {
            return Err(Failure::Usage(format!(
                "--output {text}: several tournaments do not fit into one file; name a directory"
            )));
        }
        Ok(Reports::File(path.to_owned(), format))
    }

    /// The reports of the tournament of a file.
    pub(crate) fn of(&self, tournament: &Path) -> Vec<(PathBuf, Format)> {
        match self {
            Reports::None => Vec::new(),
            Reports::File(path, format) => vec![(path.clone(), *format)],
            Reports::Directory(directory) => {
                let stem = tournament.file_stem().unwrap_or_default();
                let path = |format: Format| {
                    let mut name = OsString::from(stem);
                    name.push(".");
                    name.push(format.extension());
                    directory.join(name)
                };
                [Format::Json, Format::Csv, Format::Html].map(|format| (path(format), format)).into()
            }
        }
    }

    /// Makes what has to be there before reports can be written, so that it is not found missing after hours of play.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn prepare(&self) -> Result<(), Failure> {
        let directory = match self {
            Reports::None => return Ok(()),
            Reports::Directory(directory) => directory,
            Reports::File(path, _) => {
                // A file without a directory before its name is in the current one.
                let parent = path.parent().filter(|parent| *parent != Path::new(""));
                match parent {
                    None => return Ok(()),
                    Some(parent) => parent,
                }
            }
        };
        fs::create_dir_all(directory).map_err(|why| unwritable(directory, why))
    }
}

impl From<Format> for v1::ExportFormat {
    fn from(format: Format) -> v1::ExportFormat {
        match format {
            Format::Json => v1::ExportFormat::Json,
            Format::Csv => v1::ExportFormat::Csv,
            Format::Html => v1::ExportFormat::Html,
        }
    }
}

/// Writes a report to a file, which is there as a whole or not at all, and tells its size in bytes.
///
/// # Errors
/// The service refused or went away, or the file cannot be written.
pub(crate) async fn write(client: &Client, id: &str, format: Format, path: &Path) -> Result<u64, Failure> {
    let export = client.export_tournament(id, format.into()).await?;
    let partial = Partial::begin(path)?;
    let mut file = BufWriter::new(&partial.file);
    let written = export.write_to(&mut file).await;
    drop(file);
    partial.end(written.map_err(|error| match error {
        Error::Write(why) => unwritable(path, why),
        error => error.into(),
    }))
}

/// Writes a text to a file, which is there as a whole or not at all, and tells its size in bytes.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write_text(text: &str, path: &Path) -> Result<u64, Failure> {
    let partial = Partial::begin(path)?;
    let written = (&partial.file).write_all(text.as_bytes());
    partial.end(written.map(|()| text.len() as u64).map_err(|why| unwritable(path, why)))
}

/// A file under another name until it is whole.
struct Partial<'a> {
    path: &'a Path,
    file: File,
    /// The other name, and the file that it takes the place of; none where something else than a file is written to.
    names: Option<(PathBuf, PathBuf)>,
}

impl Partial<'_> {
    fn begin(path: &Path) -> Result<Partial<'_>, Failure> {
        let unwritable = |why| unwritable(path, why);
        let whole = match fs::metadata(path) {
            // A link stays, and what it leads to is replaced.
            Ok(there) if there.is_file() => fs::canonicalize(path).map_err(unwritable)?,
            // A device or a pipe is written to: in its place nobody would find a file.
            Ok(_) => {
                let file = File::options().write(true).open(path).map_err(unwritable)?;
                return Ok(Partial { path, file, names: None });
            }
            Err(_) => path.to_owned(),
        };
        let mut partial = whole.clone().into_os_string();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let file = File::create(&partial).map_err(unwritable)?;
        Ok(Partial { path, file, names: Some((partial, whole)) })
    }

    fn end(self, written: Result<u64, Failure>) -> Result<u64, Failure> {
        let Partial { path, file, names } = self;
        drop(file);
        let Some((partial, whole)) = names else { return written };
        let done = written.and_then(|bytes| {
            fs::rename(&partial, whole).map(|()| bytes).map_err(|why| unwritable(path, why))
        });
        if done.is_err() {
            // What is left of it helps nobody; the error that counts is the first.
            let _ = fs::remove_file(&partial);
        }
        done
    }
}

pub(crate) fn unwritable(path: &Path, why: std::io::Error) -> Failure {
    Failure::Unwritable { path: path.display().to_string(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(output: &str, tournaments: usize) -> Result<Vec<String>, String> {
        let reports = Reports::plan(Some(Path::new(output)), tournaments).map_err(|why| why.to_string())?;
        let names = reports.of(Path::new("some/where/swiss.toml"));
        Ok(names.into_iter().map(|(path, _)| path.display().to_string()).collect())
    }

    #[test]
    fn a_file_tells_its_form_and_a_directory_gets_all_of_them() {
        assert_eq!(planned("out/page.html", 1), Ok(vec!["out/page.html".to_owned()]));
        let all = ["new/swiss.json", "new/swiss.csv", "new/swiss.html"].map(str::to_owned);
        assert_eq!(planned("new/", 1), Ok(all.into()));
        assert_eq!(planned("new/", 2).map(|names| names.len()), Ok(3));
        let here = std::env::temp_dir();
        assert_eq!(planned(here.to_str().unwrap(), 2).map(|names| names.len()), Ok(3));
    }

    #[test]
    fn a_file_is_replaced_and_a_link_stays() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("report.json"), "old").unwrap();
        std::os::unix::fs::symlink("report.json", at("link.json")).unwrap();
        assert_eq!(write_text("new", &at("link.json")).ok(), Some(3));
        assert_eq!(fs::read_to_string(at("report.json")).unwrap(), "new");
        assert!(fs::symlink_metadata(at("link.json")).unwrap().is_symlink());
        assert_eq!(write_text("first", &at("other.json")).ok(), Some(5));
        let names = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 3, "nothing is left of the other name");
    }

    #[test]
    fn what_is_no_file_is_written_to_and_stays() {
        assert_eq!(write_text("gone", Path::new("/dev/null")).ok(), Some(4));
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let folder = tempfile::tempdir().unwrap();
        assert!(write_text("nowhere", folder.path()).is_err());
        assert!(folder.path().is_dir());
    }

    #[test]
    fn what_tells_no_form_or_holds_too_little_is_refused() {
        for (output, tournaments) in [("report", 1), ("report.pdf", 1), (".json", 1), ("page.html", 2)] {
            assert!(planned(output, tournaments).is_err(), "{output}");
        }
    }
}
