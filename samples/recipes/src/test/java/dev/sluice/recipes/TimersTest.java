package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.SampleProcess;
import org.junit.jupiter.api.Test;

class TimersTest {

    @Test
    void allHaveFired() throws Exception {
        try (SampleProcess run = SampleProcess.start(Recipe.of(Timers.class).process())) {
            assertEquals(0, run.awaitExit(), run.errors()::text);
            assertEquals("100000 timers have fired" + System.lineSeparator(), run.output().text());
        }
    }
}
