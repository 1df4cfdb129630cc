use serde_json::{Value, json};

use super::{Report, Times};
use crate::check::{Outcome, Verdict};

impl Outcome {
    /// The outcome as a JSON object: `check`, `proves`, `verdict` (`pass`, `fail`, `skip`), `took` in seconds; and for a
    /// failure `promise`, `what`, `advice`, `transcript`, for a skipped check `why`.
    pub fn json(&self) -> Value {
        let mut value = json!({
            "check": self.name,
            "proves": self.proves,
            "took": self.took.as_secs_f64(),
        });
        match &self.verdict {
            Verdict::Passed => value["verdict"] = "pass".into(),
            Verdict::Failed(failure) => {
                value["verdict"] = "fail".into();
                value["promise"] = failure.promise.words().into();
                value["what"] = failure.what.as_str().into();
                value["advice"] = failure.advice.into();
                value["transcript"] = failure.transcript.as_slice().into();
            }
            Verdict::Skipped(why) => {
                value["verdict"] = "skip".into();
                value["why"] = why.as_str().into();
            }
        }
        value
    }
}

impl Report {
    /// The sum as a JSON object: `bot`, `passed`, `checks` (how many passed, failed, were skipped), `answers`.
    pub fn json(&self) -> Value {
        let (pass, fail, skip) = self.counts();
        json!({
            "bot": self.bot,
            "passed": self.has_passed(),
            "checks": {"pass": pass, "fail": fail, "skip": skip},
            "answers": self.times.json(),
        })
    }
}

impl Times {
    /// The times as a JSON object: `count`, `median`, `p90`, `p99`, `longest` in seconds or null, and `histogram`, of each
    /// bar `to` in seconds, null for the last one, and `count`.
    fn json(&self) -> Value {
        let at = |share| self.quantile(share).map(|time| time.as_secs_f64());
        let bars = self.bars().into_iter();
        let bars = bars.map(|(to, count)| json!({"to": to.map(|to| to.as_secs_f64()), "count": count}));
        json!({
            "count": self.count(),
            "median": at(0.5),
            "p90": at(0.9),
            "p99": at(0.99),
            "longest": at(1.0),
            "histogram": bars.collect::<Vec<_>>(),
        })
    }
}
