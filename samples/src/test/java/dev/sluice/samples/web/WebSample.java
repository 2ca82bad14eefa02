package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.samples.ForeignProgram;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.samples.Setups;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The web sample, for as long as a test needs it. */
final class WebSample implements AutoCloseable {

    private final SampleProcess process;

    private WebSample(SampleProcess process) {
        this.process = process;
    }

    /** Starts it on the bundled site. */
    static WebSample start(IoStrategy io, String... options) throws IOException {
        return new WebSample(SampleCommand.of(arguments(io, options)).start());
    }

    static WebSample start(Setups.Setup setup, IoStrategy io, String... options) throws IOException {
        return new WebSample(setup.command(arguments(io, options)).start());
    }

    private static String[] arguments(IoStrategy io, String... options) {
        return Stream.concat(Stream.of("web", "--port", "0", "--io", io.toString()), Stream.of(options))
                .toArray(String[]::new);
    }

    static WebSample serve(Path root, IoStrategy io, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--root", root.toString()));
        arguments.addAll(List.of(options));
        return start(io, arguments.toArray(String[]::new));
    }

    SampleProcess process() {
        return process;
    }

    InetSocketAddress address() throws InterruptedException {
        return process.awaitAddress();
    }

    String url(String target) throws InterruptedException {
        return "http://" + address().getHostString() + ":" + address().getPort() + target;
    }

    HttpClientSocket connect() throws Exception {
        return new HttpClientSocket(address());
    }

    /** Runs curl for a target, with options before it. */
    ForeignProgram curl(String target, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "--silent", "--show-error", "--max-time", "50"));
        command.addAll(List.of(options));
        command.add(url(target));
        return ForeignProgram.run(command);
    }

    /** {@return the status that curl gets} */
    String status(String target, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of("--output", "/dev/null", "--write-out", "%{http_code}"));
        all.addAll(List.of(options));
        return new String(curl(target, all.toArray(String[]::new)).output(), US_ASCII);
    }

    /** Asks it to stop, and checks that it ends in order and without complaints. */
    void stop() throws InterruptedException {
        process.stop();
        String errors = process.errors().text();
        if (!errors.isEmpty()) {
            throw new AssertionError(errors);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
