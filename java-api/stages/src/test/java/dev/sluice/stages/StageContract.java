package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a stage promises, whatever threads run it. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.sluice.stages.StageKind#availableFor")
abstract class StageContract {

    static final Duration LIMIT = EventLoopContract.LIMIT;

    @Parameter(0)
    StageKind kind;

    final StageKind.Scene scene = new StageKind.Scene();
    StageGraph graph;
    final Gate gate = new Gate();

    @BeforeEach
    void makeGraph() {
        graph = new StageGraph("graph of a test");
    }

    @AfterEach
    void end() throws Exception {
        gate.open();
        graph.stop(LIMIT);
        // A test may have stopped it while its handler was inside.
        OtherThread.await(() -> graph.accounts().stream().allMatch(account -> account.pending() == 0));
        for (StageAccount account : graph.accounts()) {
            assertEquals(0, account.expected(), account::toString);
        }
        scene.close();
    }

    <E> StageOptions<E> options() throws IOException {
        return kind.options(scene);
    }

    /** {@return a stage of the gate, with a thread inside} */
    Stage<Integer> occupied(StageOptions<Integer> options) {
        Stage<Integer> stage = graph.add("gate", Integer.class, gate, options);
        graph.start();
        gate.occupy(stage);
        return stage;
    }

    void drain() throws InterruptedException {
        if (!graph.drain(LIMIT)) {
            throw new AssertionError("not drained: " + graph.accounts());
        }
    }

    static void await(Thread thread) {
        OtherThread.awaitWaiting(thread);
    }
}
