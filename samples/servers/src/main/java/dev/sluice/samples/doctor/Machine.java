package dev.sluice.samples.doctor;

import dev.sluice.calls.Platform;
import dev.sluice.calls.Platform.Os;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes the operating system and the processor, without starting a program. */
public final class Machine {

    // tcp(7)
    private static final Path CONGESTION_CONTROL = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    private Machine() {
    }

    /** {@return a line, in which unknown parts are missing} */
    public static String describe() {
        int processors = Runtime.getRuntime().availableProcessors();
        return Stream.of(Optional.of(release()),
                        congestionControl(),
                        CLibrary.current(),
                        Optional.of(processors + (processors == 1 ? " processor" : " processors")),
                        Processor.model())
                .flatMap(Optional::stream).collect(Collectors.joining(", "));
    }

    // What uname(2) calls the release is what Java calls the version, other than on macOS and Windows, where Java asks
    // for the version of the whole system.
    private static String release() {
        return (Platform.CURRENT.os() == Os.LINUX ? "kernel " : "version ") + System.getProperty("os.version");
    }

    // Benchmarks depend on it: BBR, unlike CUBIC, spaces out in time what a connection sends, also over loopback.
    private static Optional<String> congestionControl() {
        try {
            return Optional.of("TCP with " + Files.readString(CONGESTION_CONTROL).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
