package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class BatchingControllerTest {

    private final BatchingController controller = new BatchingController();
    private int batch;

    private int look(double rate) {
        if (controller.decide(Samples.ofOutput(Math.round(rate))) instanceof Decision.Batch decision) {
            batch = decision.maxEvents();
        }
        return batch;
    }

    @Test
    void beginsWithTheMost() {
        assertEquals(1000, look(0));
        assertEquals(1000, look(0));
    }

    @Test
    void fallsWhileTheOutputIsTheBest() {
        look(100);
        assertEquals(834, look(100));
        assertEquals(695, look(100));
        for (int i = 0; i < 60; i++) {
            look(100);
        }
        assertEquals(1, batch);
    }

    @Test
    void looksOnceAWindow() {
        look(0);
        StageSample half = new StageSample(Samples.SECOND / 2, 0, 0, Long.MAX_VALUE, 1, 0, 50, 0, 0, new long[0]);
        assertEquals(Decision.NOTHING, controller.decide(half));
    }

    /**
     * A stage whose batches cost a fixed part and one for each event: the larger, the better, but ever less so.
     *
     * @return the share of the best output that it settles at
     */
    private double settledShare() {
        look(0);
        double best = batch / (20.0 + batch);
        double sum = 0;
        int most = 0;
        for (int i = 0; i < 200; i++) {
            double output = batch / (20.0 + batch);
            look(1e6 * output);
            if (i >= 100) {
                sum += output;
                most = Math.max(most, batch);
            }
        }
        assertTrue(most < 1000, "the batch is still " + most);
        return sum / 100 / best;
    }

    @Test
    void findsTheSmallestThatSustainsTheThroughput() {
        double share = settledShare();
        assertTrue(share >= 0.96, () -> "a share of " + share);
    }

    /** What a batch costs rises and falls like a sine, with a period of ten looks. */
    private static double oscillatingOutput(int size, int window) {
        int parts = 50;
        double sum = 0;
        for (int i = 0; i < parts; i++) {
            double time = window + i / (double) parts;
            sum += 1e6 * size / (50 + 40 * Math.sin(2 * Math.PI * time / 10) + 5 * size);
        }
        return sum / parts;
    }

    @Test
    void keepsNearlyAllOfTheOutputWithHalfOfTheBatch() {
        look(0);
        double output = 0;
        double batches = 0;
        double maxOutput = 0;
        for (int i = 0; i < 30; i++) {
            double rate = oscillatingOutput(batch, i);
            if (i >= 10) {
                output += rate;
                batches += rate / batch;
                maxOutput += oscillatingOutput(1000, i);
            }
            look(rate);
        }
        assertEquals(1, output / maxOutput, 0.02);
        assertEquals(400, output / batches, 100);
    }

    /** Figure 9: a stage whose output oscillates, and then drops. */
    @Test
    void followsThePapersFigure9() {
        look(100);
        int before = batch;
        for (int i = 1; i <= 12; i++) {
            look(100 + 20 * i);
            assertTrue(batch < before, "it falls while the output rises");
            before = batch;
        }
        int lowest = batch;
        for (int i = 1; i <= 12; i++) {
            look(340 - 20 * i);
        }
        assertTrue(batch > lowest, "it rises when the output falls");
        assertTrue(batch < 1000, "slowly");
        look(10);
        assertEquals(1000, batch);
        assertTrue(look(30) < 1000, "and begins again");
    }

    @Test
    void whatTheLargestBatchBringsIsTheBest() {
        look(1000);
        look(1000);
        while (batch < 1000) {
            look(500);
        }
        int most = batch;
        for (int i = 0; i < 10; i++) {
            look(500);
        }
        assertTrue(batch < most, "it searches again");
    }

    /** Under a light load the smallest batch is enough, but its output is not the best that is possible. */
    @Test
    void beginsAgainWhenAHeavyLoadFollowsALightOne() {
        look(0);
        for (int i = 0; i < 60; i++) {
            look(100);
        }
        assertEquals(1, batch);
        // A batch costs 20 and 1 for each event.
        assertEquals(1000, look(1e6 / 21));
        assertTrue(look(1e6 * 1000 / 1020) < 1000, "it searches again");
        double least = 1;
        for (int i = 0; i < 200; i++) {
            double output = batch / (20.0 + batch);
            least = Math.min(least, output);
            look(1e6 * output);
        }
        double share = least / (1000 / 1020.0);
        assertTrue(share >= 0.9, () -> "falls to a share of " + share);
    }

    @Test
    void refusesWhatIsOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> controller.window(Duration.ZERO));
    }

    @Test
    void windowMayBeLonger() {
        controller.window(Duration.ofSeconds(2));
        assertEquals(1000, look(100));
        assertEquals(1000, look(100));
        assertEquals(834, look(100));
    }
}
