package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.io.IoStrategy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The web sample, for as long as a test needs it. */
final class WebSample implements AutoCloseable {

    private final RunningSample process;

    private WebSample(RunningSample process) {
        this.process = process;
    }

    /** Creates a server from a sample that has been started; closing either ends the process. */
    static WebSample of(RunningSample process) {
        return new WebSample(process);
    }

    static WebSample start(SampleCommand command) throws IOException {
        return new WebSample(command.start());
    }

    /** Starts it on the bundled site. */
    static WebSample start(WebDriver driver, String... options) throws IOException {
        return new WebSample(SampleCommand.of(driver.command(options)).start());
    }

    static WebSample start(IoStrategy io, String... options) throws IOException {
        return start(WebDriver.of(io), options);
    }

    static WebSample start(ConcurrencyStrategy concurrency, String... options) throws IOException {
        return start(WebDriver.of(concurrency), options);
    }

    /** Starts it after a command of the shell, and with an option for its Java. */
    static WebSample startIn(String shellCommand, String javaOption, ConcurrencyStrategy concurrency,
            String... options) throws IOException {
        return new WebSample(SampleCommand.of(WebDriver.of(concurrency).command(options)).after(shellCommand)
                .withOption(javaOption).start());
    }

    static WebSample serve(Path root, WebDriver driver, String... options) throws IOException {
        return start(driver, withRoot(root, options));
    }

    private static String[] withRoot(Path root, String... options) {
        return Stream.concat(Stream.of("--root", root.toString()), Stream.of(options)).toArray(String[]::new);
    }

    static WebSample serve(Path root, IoStrategy io, String... options) throws IOException {
        return serve(root, WebDriver.of(io), options);
    }

    static WebSample serve(Path root, ConcurrencyStrategy concurrency, String... options) throws IOException {
        return serve(root, WebDriver.of(concurrency), options);
    }

    RunningSample process() {
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
    ExternalProgram curl(String target, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "--silent", "--show-error", "--max-time", "50"));
        command.addAll(List.of(options));
        command.add(url(target));
        return ExternalProgram.run(command);
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
