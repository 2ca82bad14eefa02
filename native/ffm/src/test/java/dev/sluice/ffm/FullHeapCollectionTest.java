package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.SmallJvm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Native memory that the collector is to free while the heap is full is freed, and the budget gets it back. */
class FullHeapCollectionTest {

    @Test
    void bufferThatIsDroppedWhileTheHeapIsFullIsFreed() throws Exception {
        // Each thread would have kept a rest of the heap for itself.
        assertEquals(List.of("not freed: 0"), SmallJvm.run(FullHeapCollection.class,
                List.of(CodeLocation.of(FfmMemory.class), CodeLocation.of(Bindings.class),
                        CodeLocation.of(FullHeapCollection.class), CodeLocation.of(SmallJvm.class),
                        CodeLocation.of(LoggerFactory.class)),
                "-Xmx24m", "-XX:-UseTLAB", "--enable-native-access=ALL-UNNAMED"));
    }
}
