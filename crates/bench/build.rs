//! Compiles the echo service that the real one is compared with.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto/echo.proto");
    let descriptors = protox::compile(["echo.proto"], ["proto"])?;
    tonic_prost_build::configure().build_transport(false).bytes(".").compile_fds(descriptors)?;
    Ok(())
}
