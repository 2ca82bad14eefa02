package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.FullStack;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A thread whose stack is full asks the loop thread for something, and asks again when it has stack. */
@EnabledOnOs(OS.LINUX)
class FullStackCommandTest extends LeakChecked {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MAX_FRAMES = 100;
    private static final int STEP = 5;

    private OperationProcessor open() throws IOException {
        return own(new EmulatedDemultiplexer(new PollDemultiplexer(), new ProvidedBuffers.Size(1024, 1, 1),
                FilePool.DEFAULT_MAX));
    }

    private static void callTwice(int frames, FullStack.Call call) throws InterruptedException {
        FullStack.run(frames + " frames left", LIMIT, () -> {
            FullStack.callWithFramesLeft(frames, call);
            call.call();
        });
    }

    @Test
    void shutdownCancels() throws Exception {
        for (int frames = 0; frames < MAX_FRAMES; frames += STEP) {
            OperationProcessor processor = open();
            Completions completions = own(processor.newCompletions(1));
            processor.newOperation().timeout(TimeUnit.HOURS.toNanos(1));
            // The operation is in progress from now on, and this is the loop thread.
            assertEquals(0, processor.awaitCompletions(completions, 0));
            callTwice(frames, processor::shutdown);
            assertEquals(1, processor.awaitCompletions(completions, LIMIT.toNanos()), frames + " frames left");
        }
    }

    /** Otherwise the handle would stay open, even after the close of the processor. */
    @Test
    void associationEnds() throws Exception {
        for (int frames = 0; frames < MAX_FRAMES; frames += STEP) {
            OperationProcessor processor = open();
            Pipe pipe = own(Pipe.open());
            HandleAssociation association = new HandleAssociation(processor, pipe.source());
            callTwice(frames, association::end);
            assertFalse(processor.commands.isEmpty(), frames + " frames left");
        }
    }

    /** Otherwise no batch would get further completions of the handles that it holds. */
    @Test
    void batchIsClosed() throws Exception {
        for (int frames = 0; frames < MAX_FRAMES; frames += STEP) {
            OperationProcessor processor = open();
            Completions completions = processor.newCompletions(1);
            callTwice(frames, completions::close);
            assertFalse(processor.commands.isEmpty(), frames + " frames left");
        }
    }
}
