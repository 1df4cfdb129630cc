use serde::Serialize;

use super::evidence::Positions;
use super::{EntryState, FormatInfo, Phase, PlayedBlock, PlayedSeat, Report, TableRules, hex};
use crate::EntrantId;
use crate::statistics::{AbReport, Estimate, Interval, Pair, Standing, Strength, Verdict};

/// The name of the form that [`json`] writes.
pub const FORMAT: &str = "chickenfoot-tournament-report";

/// Its version. A field that is added leaves it as it is; one that goes, or means something else, counts it up.
pub const VERSION: u32 = 1;

/// The top-level keys under which everything stands that ids, wall time or speed have a part in. Two tournaments of
/// deterministic bots with the same settings, names and fixed seed are equal byte for byte without these.
pub const VARYING: [&str; 4] = ["run", "records", "conduct", "surplus"];

/// A report as JSON, complete enough that another program recomputes every figure. The crate's README says what each field
/// means.
///
/// The order of the keys is fixed. Numbers have the shortest form that reads back as the same number; one that is not
/// finite is null. Every top-level key starts a line, and so does every element of a top-level list.
pub fn json(report: &Report) -> String {
    let mut file = File::default();
    let positions = Positions::of(report);
    let number = |id: EntrantId| positions.at(id).map(|entry| entry.number);
    file.value("format", &Format { name: FORMAT, version: VERSION });
    file.value("varying", &VARYING);
    file.value("settings", &settings(report));
    file.list("entrants", report.entrants.iter().map(entrant));
    let (counted, surplus): (Vec<_>, Vec<_>) =
        report.blocks.iter().partition(|block| report.counts(block.number));
    file.list("blocks", counted.into_iter().map(block));
    if let Some(figures) = &report.figures {
        file.value("groups", &figures.standings.groups);
        let lines = figures.standings.rows.iter();
        let score = |id: EntrantId| figures.scores.as_ref()?.get(id.index()).copied();
        file.list(
            "standings",
            lines.filter_map(|row| Some(standing(row, number(row.entrant)?, score(row.entrant)))),
        );
        let pairs = figures.pairwise.pairs().iter();
        let numbers = |pair: &Pair| Some((number(pair.one)?, number(pair.other)?));
        file.list("pairings", pairs.filter_map(|pair| Some(pairing(pair, numbers(pair)?))));
        let strengths = figures.strengths.strengths.iter();
        file.list("strengths", strengths.filter_map(|it| Some(strength(it, number(it.entrant)?))));
        file.value("tie", &figures.strengths.tie);
        file.value("ab", &figures.ab.as_ref().map(ab));
    }
    file.value("run", &run(report));
    file.list("records", report.blocks.iter().map(record));
    file.list("conduct", report.conduct());
    file.list("surplus", surplus.into_iter().map(block));
    file.end()
}

/// A JSON object, key by key.
#[derive(Default)]
struct File(String);

impl File {
    fn value(&mut self, key: &str, value: &impl Serialize) {
        self.0.push_str(if self.0.is_empty() { "{\n" } else { ",\n" });
        self.0.push_str(&text(&key));
        self.0.push_str(": ");
        self.0.push_str(&text(value));
    }

    fn list(&mut self, key: &str, items: impl IntoIterator<Item = impl Serialize>) {
        self.0.push_str(if self.0.is_empty() { "{\n" } else { ",\n" });
        self.0.push_str(&text(&key));
        self.0.push_str(": [");
        for (i, item) in items.into_iter().enumerate() {
            self.0.push_str(if i == 0 { "\n" } else { ",\n" });
            self.0.push_str(&text(&item));
        }
        self.0.push(']');
    }

    fn end(mut self) -> String {
        self.0.push_str("\n}\n");
        self.0
    }
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("structures without maps always have a JSON form")
}

#[derive(Serialize)]
struct Format {
    name: &'static str,
    version: u32,
}

#[derive(Serialize)]
struct Settings<'a> {
    title: &'a str,
    format: &'a FormatInfo,
    format_text: String,
    table_size: u8,
    lookahead: u32,
    rules: &'a [TableRules],
    commitment: String,
    seed: Option<String>,
}

fn settings(report: &Report) -> Settings<'_> {
    Settings {
        title: &report.title,
        format: &report.format,
        format_text: report.format.words(report.table_size),
        table_size: report.table_size,
        lookahead: report.lookahead,
        rules: &report.rules,
        commitment: hex(&report.commitment),
        seed: report.seed.map(|seed| hex(&seed)),
    }
}

#[derive(Serialize)]
struct Entrant<'a> {
    number: u32,
    name: &'a str,
    house: Option<&'a str>,
    state: EntryState,
    position: Option<u32>,
    from_stage: u32,
    until_stage: Option<u32>,
}

fn entrant(entry: &super::Entry) -> Entrant<'_> {
    Entrant {
        number: entry.number,
        name: &entry.name,
        house: entry.house.as_deref(),
        state: entry.state,
        position: entry.position,
        from_stage: entry.from_stage,
        until_stage: entry.until_stage,
    }
}

#[derive(Serialize)]
struct Block<'a> {
    number: u32,
    stage: u32,
    table: u32,
    attempt: u32,
    deal_id: &'a str,
    absent: &'a [u32],
    matches: Vec<Match>,
}

#[derive(Serialize)]
struct Match {
    digest: String,
    seats: Vec<Seat>,
}

#[derive(Serialize)]
struct Seat {
    entrant: u32,
    points: u32,
    place: u8,
    clean_rounds: u32,
    lowest_round: Option<u32>,
}

fn block(block: &PlayedBlock) -> Block<'_> {
    let seat = |seat: &PlayedSeat| Seat {
        entrant: seat.entrant,
        points: seat.points,
        place: seat.place,
        clean_rounds: seat.clean_rounds,
        lowest_round: seat.lowest_round,
    };
    let matches = block
        .matches
        .iter()
        .map(|game| Match { digest: hex(&game.digest), seats: game.seats.iter().map(seat).collect() });
    Block {
        number: block.number,
        stage: block.stage,
        table: block.table,
        attempt: block.attempt,
        deal_id: &block.deal_id,
        absent: &block.absent,
        matches: matches.collect(),
    }
}

/// A figure with the ends of its interval, which are null where too few blocks stand behind it.
#[derive(Serialize)]
struct Figure {
    estimate: f64,
    low: Option<f64>,
    high: Option<f64>,
}

impl Figure {
    fn of(estimate: Estimate) -> Figure {
        let Estimate { value, interval } = estimate;
        Figure {
            estimate: value,
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
        }
    }
}

#[derive(Serialize)]
struct Ends {
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct Line<'a> {
    rank: u32,
    entrant: u32,
    by_lot: bool,
    score: Option<f64>,
    group: Option<u32>,
    blocks: u32,
    matches: u32,
    points: u64,
    mean_points: Option<f64>,
    margin: Option<Figure>,
    raw_margin: Option<f64>,
    live_interval: Option<Ends>,
    first_share: Option<Figure>,
    mean_place: Option<f64>,
    places: &'a [u32],
    clean_rounds: u64,
    lowest_round: Option<u32>,
    byes: u32,
    absences: u32,
}

/// The `score` is the format's own; that in the row says only where the format puts the entrant.
fn standing(row: &Standing, entrant: u32, score: Option<f64>) -> Line<'_> {
    Line {
        rank: row.place,
        entrant,
        by_lot: row.by_lot,
        score,
        group: row.group,
        blocks: row.blocks,
        matches: row.games,
        points: row.points,
        mean_points: row.mean_points,
        margin: row.margin.map(Figure::of),
        raw_margin: row.raw_margin,
        live_interval: row.anytime.map(|Interval { low, high }| Ends { low, high }),
        first_share: row.firsts.map(Figure::of),
        mean_place: row.mean_place,
        places: &row.places,
        clean_rounds: row.clean_rounds,
        lowest_round: row.lowest_round,
        byes: row.byes,
        absences: row.absences,
    }
}

#[derive(Serialize)]
struct Pairing {
    entrant: u32,
    opponent: u32,
    blocks: u32,
    meetings: u32,
    wins: u32,
    ties: u32,
    losses: u32,
    superiority: Figure,
    margin: Figure,
}

fn pairing(pair: &Pair, (entrant, opponent): (u32, u32)) -> Pairing {
    Pairing {
        entrant,
        opponent,
        blocks: pair.blocks,
        meetings: pair.games,
        wins: pair.wins,
        ties: pair.ties,
        losses: pair.losses,
        superiority: Figure::of(pair.superiority),
        margin: Figure::of(pair.margin),
    }
}

#[derive(Serialize)]
struct Fitted {
    entrant: u32,
    log: Figure,
    elo: Figure,
}

fn strength(strength: &Strength, entrant: u32) -> Fitted {
    Fitted { entrant, log: Figure::of(strength.log), elo: Figure::of(strength.elo()) }
}

#[derive(Serialize)]
struct Ab {
    verdict: &'static str,
    decided_at: Option<u32>,
    blocks: u32,
    log_likelihood_ratio: f64,
    lower_bound: f64,
    upper_bound: f64,
    margin: Option<Figure>,
    deviation: Option<f64>,
}

fn ab(ab: &AbReport) -> Ab {
    Ab {
        verdict: match ab.verdict {
            Verdict::Running => "running",
            Verdict::Better => "better",
            Verdict::NotBetter => "not_better",
            Verdict::Undecided => "undecided",
        },
        decided_at: ab.decided_at,
        blocks: ab.blocks,
        log_likelihood_ratio: ab.log_likelihood_ratio,
        lower_bound: ab.lower_bound,
        upper_bound: ab.upper_bound,
        margin: ab.margin.map(Figure::of),
        deviation: ab.deviation,
    }
}

#[derive(Serialize)]
struct Run<'a> {
    id: &'a str,
    state: Phase,
    message: &'a str,
    created_ms: u64,
    started_ms: Option<u64>,
    ended_ms: Option<u64>,
}

fn run(report: &Report) -> Run<'_> {
    Run {
        id: &report.id,
        state: report.phase,
        message: &report.message,
        created_ms: report.created_ms,
        started_ms: report.started_ms,
        ended_ms: report.ended_ms,
    }
}

#[derive(Serialize)]
struct Record<'a> {
    block: u32,
    ended_ms: u64,
    matches: Vec<MatchRecord<'a>>,
}

#[derive(Serialize)]
struct MatchRecord<'a> {
    id: &'a str,
    seats: Vec<SeatRecord>,
}

#[derive(Serialize)]
struct SeatRecord {
    late: u32,
    gone: u32,
    illegal: u32,
    strikes: u32,
    out: Option<super::Out>,
    think_ms: u64,
}

fn record(block: &PlayedBlock) -> Record<'_> {
    let seat = |seat: &PlayedSeat| SeatRecord {
        late: seat.ledger.late,
        gone: seat.ledger.gone,
        illegal: seat.ledger.illegal,
        strikes: seat.ledger.strikes,
        out: seat.ledger.out,
        think_ms: seat.ledger.think_ms,
    };
    let matches = block
        .matches
        .iter()
        .map(|game| MatchRecord { id: &game.id, seats: game.seats.iter().map(seat).collect() });
    Record { block: block.number, ended_ms: block.ended_ms, matches: matches.collect() }
}
