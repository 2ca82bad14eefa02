package dev.sluice.proactor;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A hook whose stack is full appends with a force: each append that was started completes, and so do later ones. */
class FullStackForceTest extends LeakChecked {

    private static final int MAX_FRAMES = 100;
    private static final int STEP = Depth.times(50, 10, 1);
    private static final int SEVERAL = 3;

    @TempDir
    Path directory;

    private int started;
    private int succeeded;

    static Stream<String> demultiplexers(TestInfo test) {
        return HandleSet.ofProactors(test).map(HandleSet::demultiplexer);
    }

    @ParameterizedTest
    @MethodSource("demultiplexers")
    void startedAppendCompletes(String name) throws Exception {
        for (int frames : FullStack.frames(MAX_FRAMES, STEP, name).toArray()) {
            FullStack.run(name + " with " + frames + " frames left", EventLoopContract.LIMIT.multipliedBy(2),
                    () -> append(name, frames));
        }
    }

    private void append(String name, int frames) throws IOException {
        started = 0;
        succeeded = 0;
        try (FileHandle handle = FileHandle.open(directory.resolve("file"), CREATE, APPEND);
                Proactor proactor = Proactors.on(OpenedDemultiplexers.openAsynchronous(name), TimerQueue.heap())) {
            AsyncFile file = new AsyncFile(proactor, handle, completion -> succeeded += completion.isSuccess() ? 1 : 0);
            proactor.execute(() -> {
                startSeveral(file);
                FullStack.callWithFramesLeft(frames, () -> start(file));
                startSeveral(file);
            });
            completeAll(proactor);
            assertTrue(started >= 2 * SEVERAL, () -> started + " were started");
            assertTrue(succeeded >= started, () -> "of " + started + " appends, " + succeeded + " succeeded");
            int before = succeeded;
            startSeveral(file);
            completeAll(proactor);
            assertEquals(before + SEVERAL, succeeded, "later ones");
        } catch (Error e) {
            // The loop says why it does not go on.
            if (!(e instanceof StackOverflowError) && !(e.getCause() instanceof StackOverflowError)) {
                throw e;
            }
        }
    }

    private void startSeveral(AsyncFile file) {
        for (int i = 0; i < SEVERAL; i++) {
            start(file);
        }
    }

    private void start(AsyncFile file) {
        file.writeAndForceData(ByteBuffer.allocateDirect(1), 0, null);
        started++;
    }

    private static void completeAll(Proactor proactor) throws IOException {
        do {
            try {
                proactor.runOnce(Duration.ofSeconds(1));
            } catch (StackOverflowError e) {
                // Of an operation that was about to be started. Told once.
                continue;
            }
        } while (proactor.demultiplexer.inFlight() > 0);
    }
}
