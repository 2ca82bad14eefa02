package dev.sluice.samples.soak;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A sample in a process of its own that can be looked into. */
final class ObservedServer implements AutoCloseable {

    private static final Duration LOOK = Duration.ofSeconds(1);
    /** A fiftieth of a CPU: the virtual machine has threads that look around by themselves. */
    private static final Duration NEXT_TO_NOTHING = LOOK.dividedBy(50);

    private final String name;
    private final Path portFile;
    private final SampleProcess process;

    private ObservedServer(String name, Path portFile, SampleProcess process) {
        this.name = name;
        this.portFile = portFile;
        this.process = process;
    }

    /** Starts it; the name is for the reports. */
    static ObservedServer start(String name, Path directory, String... arguments) throws IOException {
        return start(name, directory, null, arguments);
    }

    /** Starts it with something that it loses, null for nothing. */
    static ObservedServer start(String name, Path directory, Leak leak, String... arguments) throws IOException {
        Path portFile = directory.resolve(name.replace(' ', '-') + ".port");
        SampleCommand command = SampleCommand.of(arguments).withMain(ObservedMain.class.getName())
                .withOption("-D" + ObservedMain.PORT_FILE + "=" + portFile)
                // The heap is looked at for itself; what the process has beside it must not hide behind its growth.
                .withOption("-Xms128m").withOption("-XX:+AlwaysPreTouch");
        if (leak != null) {
            command.withOption("-D" + Leak.PROPERTY + "=" + leak.name());
        }
        return new ObservedServer(name, portFile, command.startProcess());
    }

    String name() {
        return name;
    }

    InetSocketAddress address() throws InterruptedException {
        return process.awaitAddress();
    }

    ProcessFigures figures() {
        return process.figures();
    }

    String errors() {
        return process.errors().text();
    }

    Look look(long messages, double pace) throws Exception {
        Patience.until("the observer listens", () -> Files.exists(portFile));
        String answer;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(),
                Integer.parseInt(Files.readString(portFile)))) {
            answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
        String[] numbers = answer.split(" ");
        ProcessFigures figures = figures();
        return new Look(messages, Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]),
                Integer.parseInt(numbers[3]), figures.openDescriptors(), figures.openSockets(),
                Long.parseLong(figures.status("VmRSS").replace(" kB", "")) << 10, figures.cpuTime(), pace);
    }

    /** Waits until a second passes in which it does next to nothing, which one that spins never does. */
    void awaitQuiet() throws Exception {
        Patience.until(name + " rests", () -> {
            Duration before = figures().cpuTime();
            Thread.sleep(LOOK.toMillis());
            return figures().cpuTime().minus(before).compareTo(NEXT_TO_NOTHING) <= 0;
        });
    }

    /** Asks it to stop, and checks that it ends in order. */
    void stop() throws InterruptedException {
        process.stop();
    }

    @Override
    public void close() {
        process.close();
    }
}
