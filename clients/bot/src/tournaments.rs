use std::io::Write;

use chickenfoot_protocol::v1;
use tonic::Streaming;

use crate::client::{Client, Page, present, request_id};
use crate::error::Error;
use crate::tournament_watch::TournamentWatch;

/// Tournaments.
impl Client {
    /// Makes a tournament.
    ///
    /// # Errors
    /// The tournament is impossible, the caller may not, or the service cannot be reached.
    pub async fn create_tournament(&self, config: v1::TournamentConfig) -> Result<v1::Tournament, Error> {
        self.create_tournament_as(config, &request_id()).await
    }

    /// As [`Client::create_tournament`] with a request id of the caller's: repeating the call with the same one makes no
    /// second tournament.
    ///
    /// # Errors
    /// As [`Client::create_tournament`].
    pub async fn create_tournament_as(
        &self,
        config: v1::TournamentConfig,
        request_id: &str,
    ) -> Result<v1::Tournament, Error> {
        let request = v1::CreateTournamentRequest { config: Some(config), request_id: request_id.to_owned() };
        present(self.tournaments.clone().create_tournament(request).await?.into_inner().tournament)
    }

    /// Where a tournament stands.
    ///
    /// # Errors
    /// There is no such tournament, or the service cannot be reached.
    pub async fn get_tournament(&self, id: &str) -> Result<v1::Tournament, Error> {
        let request = v1::GetTournamentRequest { tournament_id: id.to_owned() };
        present(self.tournaments.clone().get_tournament(request).await?.into_inner().tournament)
    }

    /// A page of the tournaments in a state, newest first.
    ///
    /// # Errors
    /// The service refused or cannot be reached.
    pub async fn tournaments(
        &self,
        state: v1::TournamentState,
        page_token: &str,
    ) -> Result<Page<v1::Tournament>, Error> {
        let request = v1::ListTournamentsRequest {
            state: state.into(),
            page_size: 0,
            page_token: page_token.to_owned(),
        };
        let page = self.tournaments.clone().list_tournaments(request).await?.into_inner();
        Ok(Page { entries: page.tournaments, next: page.next_page_token })
    }

    /// A page of the entrants of a tournament in the order of entry.
    ///
    /// # Errors
    /// There is no such tournament, or the service cannot be reached.
    pub async fn entrants(&self, id: &str, page_token: &str) -> Result<Page<v1::TournamentEntrant>, Error> {
        let request = v1::ListEntrantsRequest {
            tournament_id: id.to_owned(),
            page_size: 0,
            page_token: page_token.to_owned(),
        };
        let page = self.tournaments.clone().list_entrants(request).await?.into_inner();
        Ok(Page { entries: page.entrants, next: page.next_page_token })
    }

    /// Enters the caller. `entropy` is empty or 32 bytes, which the entrant adds to the deals of all its blocks.
    ///
    /// # Errors
    /// The tournament takes no entrants, or not this one, or the service cannot be reached.
    pub async fn join_tournament(&self, id: &str, entropy: Vec<u8>) -> Result<v1::TournamentEntrant, Error> {
        let request =
            v1::JoinTournamentRequest { tournament_id: id.to_owned(), entropy, request_id: request_id() };
        present(self.tournaments.clone().join_tournament(request).await?.into_inner().entrant)
    }

    /// Takes an entrant out: the caller, or another by name if the caller may.
    ///
    /// # Errors
    /// There is no such entrant, the caller may not, the tournament is over, or the service cannot be reached.
    pub async fn withdraw_from_tournament(
        &self,
        id: &str,
        name: Option<&str>,
    ) -> Result<v1::TournamentEntrant, Error> {
        let request = v1::WithdrawFromTournamentRequest {
            tournament_id: id.to_owned(),
            name: name.unwrap_or_default().to_owned(),
            request_id: request_id(),
        };
        present(self.tournaments.clone().withdraw_from_tournament(request).await?.into_inner().entrant)
    }

    /// Starts a tournament.
    ///
    /// # Errors
    /// The caller did not make it, it has too few entrants, it is over, or the service cannot be reached.
    pub async fn start_tournament(&self, id: &str) -> Result<v1::Tournament, Error> {
        let request = v1::StartTournamentRequest { tournament_id: id.to_owned(), request_id: request_id() };
        present(self.tournaments.clone().start_tournament(request).await?.into_inner().tournament)
    }

    /// Lets a tournament begin no further matches.
    ///
    /// # Errors
    /// The caller did not make it, it does not run, or the service cannot be reached.
    pub async fn pause_tournament(&self, id: &str) -> Result<v1::Tournament, Error> {
        let request = v1::PauseTournamentRequest { tournament_id: id.to_owned(), request_id: request_id() };
        present(self.tournaments.clone().pause_tournament(request).await?.into_inner().tournament)
    }

    /// Lets a tournament go on after a pause.
    ///
    /// # Errors
    /// The caller did not make it, it does not rest, or the service cannot be reached.
    pub async fn resume_tournament(&self, id: &str) -> Result<v1::Tournament, Error> {
        let request = v1::ResumeTournamentRequest { tournament_id: id.to_owned(), request_id: request_id() };
        present(self.tournaments.clone().resume_tournament(request).await?.into_inner().tournament)
    }

    /// Ends a tournament before its time.
    ///
    /// # Errors
    /// The caller did not make it, it was played to its end, or the service cannot be reached.
    pub async fn cancel_tournament(&self, id: &str) -> Result<v1::Tournament, Error> {
        let request = v1::CancelTournamentRequest { tournament_id: id.to_owned(), request_id: request_id() };
        present(self.tournaments.clone().cancel_tournament(request).await?.into_inner().tournament)
    }

    /// The standings of a tournament, from the blocks that are over.
    ///
    /// # Errors
    /// There is no such tournament, or the service cannot be reached.
    pub async fn standings(&self, id: &str) -> Result<v1::GetStandingsResponse, Error> {
        self.ask_standings(v1::GetStandingsRequest { tournament_id: id.to_owned(), pairings: false }).await
    }

    /// As [`Client::standings`], with every pair of entrants that met.
    ///
    /// # Errors
    /// As [`Client::standings`].
    pub async fn standings_with_pairings(&self, id: &str) -> Result<v1::GetStandingsResponse, Error> {
        self.ask_standings(v1::GetStandingsRequest { tournament_id: id.to_owned(), pairings: true }).await
    }

    async fn ask_standings(
        &self,
        request: v1::GetStandingsRequest,
    ) -> Result<v1::GetStandingsResponse, Error> {
        Ok(self.tournaments.clone().get_standings(request).await?.into_inner())
    }

    /// A page of the blocks that are over, in the order of their numbers, with every match.
    ///
    /// # Errors
    /// There is no such tournament, or the service cannot be reached.
    pub async fn blocks(&self, id: &str, page_token: &str) -> Result<Page<v1::TournamentBlock>, Error> {
        let request = v1::ListBlocksRequest {
            tournament_id: id.to_owned(),
            page_size: 0,
            page_token: page_token.to_owned(),
        };
        let page = self.tournaments.clone().list_blocks(request).await?.into_inner();
        Ok(Page { entries: page.blocks, next: page.next_page_token })
    }

    /// Follows a tournament to its end; every message has the best entrants, at most `standings` of them, 0 to 1,000.
    ///
    /// # Errors
    /// There is no such tournament, or the service cannot be reached. A connection that is lost later is no error.
    pub async fn watch_tournament(&self, id: &str, standings: u32) -> Result<TournamentWatch, Error> {
        let request = v1::WatchTournamentRequest { tournament_id: id.to_owned(), standings };
        TournamentWatch::open(self.clone(), request).await
    }

    /// A report of a tournament as it stands.
    ///
    /// # Errors
    /// There is no such tournament, or the service cannot be reached.
    pub async fn export_tournament(&self, id: &str, format: v1::ExportFormat) -> Result<Export, Error> {
        let request = v1::ExportTournamentRequest { tournament_id: id.to_owned(), format: format.into() };
        Ok(Export(self.tournaments.clone().export_tournament(request).await?.into_inner()))
    }
}

/// A report of a tournament: UTF-8 text, part by part.
pub struct Export(Streaming<v1::ExportTournamentResponse>);

impl Export {
    /// The next part; `None` after the last.
    ///
    /// # Errors
    /// The stream broke: what came is no whole report, and another one has to be asked for.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.0.message().await?.map(|message| message.part))
    }

    /// Writes the report, each part as it comes, and returns the number of bytes. Nothing but the part that is on its way
    /// is held in memory.
    ///
    /// # Errors
    /// As [`Export::next`], or the writer failed; then what was written is no whole report.
    pub async fn write_to(mut self, writer: &mut (impl Write + ?Sized)) -> Result<u64, Error> {
        let mut bytes = 0;
        while let Some(part) = self.next().await? {
            writer.write_all(&part).map_err(Error::Write)?;
            bytes += part.len() as u64;
        }
        writer.flush().map_err(Error::Write)?;
        Ok(bytes)
    }
}
