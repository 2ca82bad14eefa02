package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.SmallJvm;
import dev.sluice.testing.Depth;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Native memory that the collector is to free while the heap is full is freed, and the budget gets it back. */
class FullHeapCollectionTest {

    static Stream<String> collectors(TestInfo test) {
        return Depth.first(test, Stream.of("-XX:+UseSerialGC", "-XX:+UseG1GC"), 1);
    }

    /** The collectors differ in what they leave for the call that frees, when it is linked. */
    @ParameterizedTest
    @MethodSource("collectors")
    void bufferThatIsDroppedWhileTheHeapIsFullIsFreed(String collector) throws Exception {
        // Each thread would have kept a rest of the heap for itself.
        assertEquals(List.of("not freed: 0"), SmallJvm.run(FullHeapCollection.class,
                List.of(CodeLocation.of(FfmMemory.class), CodeLocation.of(Bindings.class),
                        CodeLocation.of(FullHeapCollection.class), CodeLocation.of(SmallJvm.class),
                        CodeLocation.of(LoggerFactory.class)),
                "-XX:-UseSerialGC", collector, "-Xmx24m", "-XX:-UseTLAB", "--enable-native-access=ALL-UNNAMED"));
    }
}
