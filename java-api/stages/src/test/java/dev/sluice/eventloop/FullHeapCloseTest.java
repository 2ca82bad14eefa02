package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.campaign.WatchedJvm;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The heap is full to the last byte, and everything is closed: loops, pools, demultiplexers, acceptors, stages. When
 * there is memory again, they are closed once more: the close returns, each handler was notified of its end, once, and
 * the process ends by itself.
 */
@EnabledOnOs(OS.LINUX)
class FullHeapCloseTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    static Stream<Arguments> modes(TestInfo test) {
        return Stream.concat(
                Depth.first(test, HandleSet.ofReactors(test), 1)
                        .map(set -> Arguments.of(Mode.SYNCHRONOUS, set.demultiplexer())),
                Depth.first(test, HandleSet.ofProactors(test), 1)
                        .map(set -> Arguments.of(Mode.ASYNCHRONOUS, set.demultiplexer())));
    }

    @ParameterizedTest
    @MethodSource("modes")
    @Tag(Depth.IN_MATRIX)
    void closeGoesOnOnceThereIsMemory(Mode mode, String demultiplexer) throws Exception {
        assertCloses(mode, demultiplexer, true);
    }

    /** The first close of the process loads its classes, which takes memory, too. */
    @ParameterizedTest
    @MethodSource("modes")
    void firstCloseGoesOnOnceThereIsMemory(Mode mode, String demultiplexer) throws Exception {
        assertCloses(mode, demultiplexer, false);
    }

    private static void assertCloses(Mode mode, String demultiplexer, boolean warm) throws Exception {
        try (WatchedJvm jvm = new WatchedJvm(TIMEOUT, List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-Xmx16m"), FullHeapCloses.class, List.of(mode.name(), demultiplexer, String.valueOf(warm)))) {
            for (Closable.Kind kind : Arrays.stream(Closable.Kind.values()).filter(each -> each.mode == mode)
                    .toList()) {
                assertEquals(kind + " closed", jvm.line(), jvm::output);
            }
            assertEquals("end", jvm.line());
            jvm.awaitEnd();
        }
    }
}
