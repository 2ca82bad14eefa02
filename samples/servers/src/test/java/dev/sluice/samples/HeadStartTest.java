package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadStartTest {

    @ParameterizedTest
    @ValueSource(strings = {"echo", "echo --port 0", "web --help"})
    void isForASample(String arguments) {
        assertTrue(Main.isSample(arguments.split(" ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "ecco", "echo --native jna", "echo --native=jna"})
    void isForNothingElse(String arguments) {
        assertFalse(Main.isSample(arguments.split(" ")));
    }

    @Test
    void isNotForTheOverview() {
        assertFalse(Main.isSample(new String[0]));
    }

    @Test
    void leavesNothingOpen() throws IOException {
        ProcessFigures figures = new ProcessFigures(ProcessHandle.current());
        new HeadStart().run();
        long open = figures.openDescriptors();
        new HeadStart().run();
        assertEquals(open, figures.openDescriptors());
    }
}
