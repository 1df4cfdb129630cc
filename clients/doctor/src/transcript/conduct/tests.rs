use chickenfoot_rules::Move;

use super::*;

const PATIENCE: Duration = Duration::from_secs(3);

/// A transcript that is told step by step; each step is ten milliseconds after the one before.
struct Told {
    conduct: Conduct,
    place: usize,
    times: Vec<Duration>,
}

impl Told {
    /// The bot has a session and sits in match `m`.
    fn seated() -> Told {
        let mut told = Told { conduct: Conduct::new(PATIENCE), place: 0, times: Vec::new() };
        told.session(1);
        let game = v1::Match { id: "m".to_owned(), ..v1::Match::default() };
        told.down(Down::GameStarted(v1::GameStarted { r#match: Some(Box::new(game)), seats: vec![0] }));
        told
    }

    fn tell(&mut self, session: u32, what: Happened) {
        let entry = Entry { at: self.now(), session, what };
        self.times.extend(self.conduct.observe(self.place, &entry));
        self.place += 1;
    }

    fn now(&self) -> Duration {
        Duration::from_millis(10) * self.place as u32
    }

    fn session(&mut self, session: u32) {
        self.tell(session, Happened::Opened);
    }

    fn down(&mut self, what: Down) {
        let session = self.conduct.session();
        self.tell(session, Happened::Down(v1::SessionResponse { what: Some(what) }));
    }

    /// A decision with two options.
    fn ask(&mut self, number: u32) {
        let options = vec![Move::Pass.into(), Move::Keep.into()];
        let decision = v1::Decision { match_id: "m".to_owned(), number, options, ..v1::Decision::default() };
        self.down(Down::Decision(decision));
    }

    fn answer(&mut self, decision: u32, option: u32) {
        let answer = v1::choice::Choice::Option(option);
        let choice = v1::Choice { match_id: "m".to_owned(), decision, choice: Some(answer) };
        let session = self.conduct.session();
        self.tell(session, Happened::Up(v1::SessionRequest { what: Some(Up::Choice(choice)) }));
    }

    fn accept(&mut self, decision: u32) {
        let match_id = "m".to_owned();
        self.down(Down::ChoiceAccepted(v1::ChoiceAccepted { match_id, decision, ..Default::default() }));
    }

    fn refuse(&mut self, decision: u32, reason: &str) {
        let (match_id, reason) = ("m".to_owned(), reason.to_owned());
        self.down(Down::Refusal(v1::Refusal { match_id, decision, reason, ..v1::Refusal::default() }));
    }

    fn hang_up(&mut self) {
        let session = self.conduct.session();
        self.tell(session, Happened::HungUp("it closed its stream".to_owned()));
    }

    fn broken(&mut self) -> Option<Promise> {
        let (now, last) = (self.now(), self.place);
        self.conduct.breach(now, last).map(|breach| breach.promise)
    }
}

#[test]
fn an_answer_in_time_breaks_nothing_and_is_timed() {
    let mut told = Told::seated();
    told.ask(7);
    told.answer(7, 1);
    told.accept(7);
    assert_eq!((told.broken(), told.times), (None, vec![Duration::from_millis(10)]));
}

#[test]
fn silence_is_a_breach_when_the_time_is_up_and_not_before() {
    let mut told = Told::seated();
    let asked = told.now();
    told.ask(7);
    assert_eq!(told.conduct.due(), Some(asked + PATIENCE));
    assert_eq!(told.conduct.breach(asked + PATIENCE - Duration::from_millis(1), 2), None);
    let breach = told.conduct.breach(asked + PATIENCE, 2).unwrap();
    assert_eq!((breach.promise, breach.place), (Promise::AnswersInTime, Some(2)));
}

#[test]
fn nothing_is_due_on_a_session_that_the_doctor_broke_until_it_is_asked_again() {
    let mut told = Told::seated();
    told.ask(7);
    told.conduct.excuse();
    assert_eq!(told.conduct.due(), None);
    told.hang_up();
    told.session(2);
    assert_eq!((told.conduct.due(), told.broken()), (None, None));
    let asked = told.now();
    told.ask(7);
    assert_eq!(told.conduct.due(), Some(asked + PATIENCE));
}

#[test]
fn a_decision_that_comes_again_is_answered_again_in_the_same_way() {
    let mut told = Told::seated();
    told.ask(7);
    told.answer(7, 1);
    told.ask(7);
    told.answer(7, 1);
    assert_eq!((told.broken(), told.times.len()), (None, 1));
    told.answer(7, 0);
    assert_eq!(told.broken(), Some(Promise::OneAnswer));
}

#[test]
fn an_old_number_is_a_breach_although_the_service_takes_it_for_a_repetition() {
    let mut told = Told::seated();
    told.ask(7);
    told.answer(7, 0);
    told.accept(7);
    told.ask(9);
    told.answer(7, 0);
    assert_eq!(told.broken(), Some(Promise::OpenDecision));
}

#[test]
fn numbers_that_were_never_asked_are_told_apart_from_none() {
    for (number, promise) in [(0, Promise::OpenDecision), (8, Promise::OnlyWhatIsAsked)] {
        let mut told = Told::seated();
        told.ask(7);
        told.answer(number, 0);
        assert_eq!(told.broken(), Some(promise), "{number}");
    }
}

#[test]
fn the_service_refuses_what_comes_late_and_what_comes_twice_with_the_same_reason() {
    let mut late = Told::seated();
    late.ask(7);
    late.answer(7, 1);
    late.refuse(7, "DECISION_ANSWERED");
    assert_eq!(late.broken(), Some(Promise::AnswersInTime));
}

#[test]
fn each_refusal_has_its_promise_and_those_of_a_busy_service_have_none() {
    for (reason, promise) in [
        ("TILE_NOT_IN_HAND", Some(Promise::TileInHand)),
        ("LINE_UNKNOWN", Some(Promise::EndThatFits)),
        ("OPTION_OUT_OF_RANGE", Some(Promise::OptionInRange)),
        ("TILE_INCOMPLETE", Some(Promise::WholeFields)),
        ("NOT_SEATED", Some(Promise::OnlyWhatIsAsked)),
        ("LIMIT_REACHED", Some(Promise::NoFlood)),
        ("UNAVAILABLE", None),
    ] {
        let mut told = Told::seated();
        told.ask(7);
        told.answer(7, 1);
        told.refuse(7, reason);
        assert_eq!(told.broken(), promise, "{reason}");
    }
}

#[test]
fn many_answers_to_one_question_are_a_flood() {
    let mut told = Told::seated();
    told.ask(7);
    for _ in 0..9 {
        told.answer(7, 1);
    }
    assert_eq!(told.broken(), None);
    told.answer(7, 1);
    assert_eq!(told.broken(), Some(Promise::NoFlood));
}

#[test]
fn who_hangs_up_in_the_middle_of_a_match_does_not_stay_unless_its_program_ended() {
    let mut told = Told::seated();
    told.hang_up();
    assert_eq!(told.broken(), Some(Promise::Stays));
    told.tell(0, Happened::Exited("exit status: 3".to_owned()));
    assert_eq!(told.broken(), Some(Promise::KeepsRunning));
}

#[test]
fn what_is_said_of_a_match_that_the_doctor_ended_counts_no_more() {
    let mut told = Told::seated();
    told.ask(7);
    told.conduct.forgive("m");
    told.answer(7, 1);
    told.refuse(7, "MATCH_OVER");
    told.hang_up();
    assert_eq!((told.broken(), told.conduct.due()), (None, None));
}
