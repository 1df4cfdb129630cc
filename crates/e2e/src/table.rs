use std::collections::HashMap;
use std::time::Duration;

use chickenfoot_bot::{Client, Runner, strategy_bots};
use chickenfoot_protocol::v1::{self, event::What, seat_spec::Who};
use chickenfoot_rules::{Choice, Move};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep};

use crate::digests::Digests;
use crate::guest::Guest;
use crate::ledger::{Acknowledged, Report};
use crate::watcher::watch;
use crate::{Failure, patient};

/// The bots of a trial: an agent for each strategy, named after it, with a fixed seed.
pub(crate) const BOTS: [&str; 4] = ["random", "lowest", "greedy", "dead-foot"];

/// The bot that makes the matches.
const CREATOR: &str = BOTS[BOTS.len() - 1];

/// The seed of all bots.
pub(crate) const BOT_SEED: u64 = 7;

/// How long a trial waits for its matches to end.
const END: Duration = Duration::from_secs(300);

/// How long programs may play without that a match ends.
const STILL: Duration = Duration::from_secs(120);

/// Agents that play and are watched while a trial disturbs them.
pub(crate) struct Table {
    client: Client,
    acknowledged: Acknowledged,
    bots: Vec<JoinHandle<()>>,
    guests: Vec<Guest>,
    digests: Digests,
    matches: JoinSet<Result<Played, Failure>>,
    asked: u64,
    /// When a match ended last.
    ended: Instant,
}

/// A match that has ended.
struct Played {
    number: u64,
    id: String,
    events: Vec<v1::Event>,
    holes: u64,
}

impl Table {
    /// Registers the bots at the service behind `address` and lets them play.
    pub(crate) async fn open(address: &str) -> Result<Table, Failure> {
        Table::with_guests(address, address, &[], Digests::default()).await
    }

    /// As [`Table::open`], with programs that take the first seats: a command for each. All are registered at `server`,
    /// and play at `address`, where it may be hard to reach.
    pub(crate) async fn with_guests(
        server: &str,
        address: &str,
        commands: &[String],
        digests: Digests,
    ) -> Result<Table, Failure> {
        let acknowledged = Acknowledged::default();
        let mut bots = Vec::new();
        let mut client = None;
        for name in BOTS {
            let token = Client::connect(server, None)?.register(name).await?;
            let make = strategy_bots(name, BOT_SEED).ok_or("an unknown strategy")?;
            let noted = acknowledged.clone();
            let runner = Runner::new(address, &token).on_accepted(move |match_id, decision, choice| {
                // A second acknowledgement that differs from the first shows as a decision that is lost.
                noted.note(match_id, decision, choice);
            });
            bots.push(tokio::spawn(async move {
                // Ends only when the trial aborts it.
                let _ = runner.run(make, std::future::pending()).await;
            }));
            client = Some(Client::connect(address, Some(&token))?);
        }
        let mut guests = Vec::new();
        for (number, command) in commands.iter().enumerate() {
            let name = format!("guest-{number}");
            let token = Client::connect(server, None)?.register(&name).await?;
            guests.push(Guest::start(command, &name, address, &token)?);
        }
        let client = client.ok_or("a trial needs bots")?;
        let (matches, ended) = (JoinSet::new(), Instant::now());
        Ok(Table { client, acknowledged, bots, guests, digests, matches, asked: 0, ended })
    }

    /// Who sits where: the programs first, then bots until there are four, or one.
    fn seats(&self) -> Vec<String> {
        let guests = self.guests.iter().map(|guest| guest.name().to_owned());
        let bots = BOTS.len().saturating_sub(self.guests.len()).max(1);
        guests.chain(BOTS[..bots].iter().map(|name| (*name).to_owned())).collect()
    }

    /// Keeps so many matches going.
    pub(crate) fn fill(&mut self, at_once: usize) {
        while self.matches.len() < at_once {
            let number = self.asked;
            self.asked += 1;
            let client = self.client.clone();
            self.matches.spawn(play(client, number, self.config(number)));
        }
    }

    /// The match of that number, as it is made.
    fn config(&self, number: u64) -> v1::MatchConfig {
        let seats = self.seats().into_iter().map(|name| v1::SeatSpec { who: Some(Who::Agent(name)) });
        v1::MatchConfig {
            rules: Some(v1::Rules { rounds: Some(3), ..v1::Rules::default() }),
            seats: seats.collect(),
            seed: self.digests.seed(number).reveal().to_vec(),
            ..v1::MatchConfig::default()
        }
    }

    /// Takes the matches that have ended off the table.
    ///
    /// # Errors
    /// A program has ended, or hangs.
    pub(crate) async fn collect(&mut self, report: &mut Report) -> Result<(), Failure> {
        while let Some(played) = self.matches.try_join_next() {
            self.check(&played??, report).await?;
            self.ended = Instant::now();
        }
        for guest in &mut self.guests {
            guest.check()?;
        }
        if !self.guests.is_empty() && self.ended.elapsed() > STILL {
            let guests = self.guests.iter().map(|guest| guest.failed("may hang").to_string());
            let guests: Vec<String> = guests.collect();
            return Err(format!("no match has ended for {STILL:?}\n{}", guests.join("\n")).into());
        }
        Ok(())
    }

    /// Waits for all matches to end, and checks what was acknowledged on the way.
    pub(crate) async fn close(mut self, mut report: Report) -> Result<Report, Failure> {
        let rest = async {
            while !self.matches.is_empty() {
                self.collect(&mut report).await?;
                sleep(Duration::from_millis(50)).await;
            }
            Ok::<(), Failure>(())
        };
        tokio::time::timeout(END, rest).await.map_err(|_| "matches do not end")??;
        for guest in self.guests.drain(..) {
            guest.stop().await?;
        }
        for bot in &self.bots {
            bot.abort();
        }
        report.acknowledged = self.acknowledged.all().len();
        report.lost += self.lost().await?;
        report.doubled = self.count().await?.saturating_sub(usize::try_from(self.asked)?);
        Ok(report)
    }

    async fn check(&self, played: &Played, report: &mut Report) -> Result<(), Failure> {
        report.matches += 1;
        report.holes += played.holes;
        let game = patient(|| self.client.get_match(&played.id)).await?;
        let faults = game.seats.iter().filter_map(|seat| seat.ledger);
        report.faults += faults.map(|ledger| ledger.late + ledger.gone + ledger.illegal).sum::<u32>();
        let record = patient(|| self.client.record(&played.id)).await?;
        let same = record.verify().is_ok() && self.digests.agree(played.number, record.digest)?;
        report.digests += usize::from(!same);
        // Read once more from the start: what a watcher saw live is what everybody sees later.
        let (again, _) = watch(self.client.clone(), played.id.clone()).await;
        let differs = |(live, later): (&v1::Event, &v1::Event)| !is_same(live, later);
        report.holes += played.events.iter().zip(&again).filter(|pair| differs(*pair)).count() as u64;
        report.holes += again.len().abs_diff(played.events.len()) as u64;
        Ok(())
    }

    /// How many acknowledged decisions are not what the match's events say.
    async fn lost(&self) -> Result<usize, Failure> {
        let mut lost = 0;
        let mut known: HashMap<String, Vec<v1::Event>> = HashMap::new();
        for ((id, decision), choice) in self.acknowledged.all() {
            if !known.contains_key(&id) {
                let (events, _) = watch(self.client.clone(), id.clone()).await;
                known.insert(id.clone(), events);
            }
            // A decision's number is that of the event which its answer became.
            let event = known[&id].get(decision as usize - 1).and_then(|event| event.what.as_ref());
            lost += usize::from(!is_event_of(event, choice));
        }
        Ok(lost)
    }

    /// How many matches there are that were made for this table.
    async fn count(&self) -> Result<usize, Failure> {
        let (mut count, mut token) = (0, String::new());
        loop {
            let page = patient(|| self.client.matches(v1::MatchState::Unspecified, &token)).await?;
            // Others may make matches too.
            count += page.entries.iter().filter(|game| game.creator == CREATOR).count();
            if page.next.is_empty() {
                return Ok(count);
            }
            token = page.next;
        }
    }
}

/// Makes a match and watches it to its end.
async fn play(client: Client, number: u64, config: v1::MatchConfig) -> Result<Played, Failure> {
    let request_id = format!("{:032x}", rand::random::<u128>());
    // The same request until it is answered: the service may have died between storing and answering.
    let game = patient(|| client.create_match_as(config.clone(), &request_id)).await?;
    let (events, holes) = watch(client, game.id.clone()).await;
    Ok(Played { number, id: game.id, events, holes })
}

/// Whether an event is what an acknowledged choice became.
fn is_event_of(event: Option<&What>, choice: Choice) -> bool {
    match (event, choice.action) {
        (Some(What::Played(played)), Move::Play { .. }) => {
            let play = v1::Move::from(choice);
            matches!(play.kind, Some(v1::r#move::Kind::Play(play)) if played.play == Some(play))
        }
        (Some(What::Passed(passed)), Move::Keep) => passed.kept,
        _ => false,
    }
}

/// Whether two looks at an event agree but for what was hidden in the first.
fn is_same(live: &v1::Event, later: &v1::Event) -> bool {
    match (&live.what, &later.what) {
        (Some(What::HandDealt(live)), Some(What::HandDealt(later))) => {
            (live.seat, live.count) == (later.seat, later.count)
        }
        (Some(What::Drew(live)), Some(What::Drew(later))) => live.seat == later.seat,
        (Some(What::Passed(live)), Some(What::Passed(later))) => live.seat == later.seat,
        (live, later) => live == later,
    }
}
