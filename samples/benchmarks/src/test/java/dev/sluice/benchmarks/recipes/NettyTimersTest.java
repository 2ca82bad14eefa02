package dev.sluice.benchmarks.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.recipes.Recipe;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_MATRIX)
class NettyTimersTest {

    @Test
    void allHaveFired() throws Exception {
        try (SampleProcess run = SampleProcess.start(Recipe.of(NettyTimers.class).process())) {
            assertEquals(0, run.awaitExit(), run.errors()::text);
            assertEquals("100000 timers have fired" + System.lineSeparator(), run.output().text());
        }
    }
}
