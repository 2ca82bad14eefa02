package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A thread whose stack is full uses a handle: it enters and leaves it, or does not enter. */
@Tag(Depth.IN_QUICK)
class FullStackHandleTest extends LeakChecked {

    private static final int MOST_FRAMES = 60;

    @TempDir
    private Path directory;

    /** What uses the handle. */
    @FunctionalInterface
    private interface Use {
        void of(Pipe pipe) throws Exception;
    }

    private static void acquireAndRelease(Pipe pipe) throws Exception {
        Handle handle = pipe.source();
        Descriptors.of(handle).acquire();
        Descriptors.of(handle).release();
    }

    @Test
    void threadWithoutStackIsNoUserForEver() throws Exception {
        assertCloses(FullStackHandleTest::acquireAndRelease);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void callWithoutStackLeavesTheHandle() throws Exception {
        assertCloses(pipe -> pipe.receive(ByteBuffer.allocate(1)));
    }

    @Test
    void closeWithoutStackIsRepeated() throws Exception {
        assertCloses(Pipe::close);
    }

    /** That nothing is left open is seen after the test. */
    private static void assertCloses(Use use) throws Exception {
        for (int frames = 0; frames < MOST_FRAMES; frames++) {
            Pipe pipe = Pipe.open();
            int left = frames;
            FullStack.run(frames + " frames left", Patience.LIMIT,
                    () -> FullStack.callWithFramesLeft(left, () -> use.of(pipe)));
            pipe.close();
            assertFalse(pipe.source().isOpen());
        }
    }

    /** Another thread waits for a handle whose close has no memory at first. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void repeatedCloseEndsTheWaitOfAnotherThread() throws Exception {
        try (FaultInjection faults = FaultInjection.install();
                StreamPair pair = Transport.TCP4.connect(directory)) {
            SocketStream stream = pair.server();
            faults.throwNth("shutdown", 1, new OutOfMemoryError("wanted"));
            int before = faults.calls("poll");
            Background<HandleClosedException> waiter = Background.run(() -> assertThrows(HandleClosedException.class,
                    () -> stream.receiveFully(ByteBuffer.allocate(1), Duration.ofDays(1))));
            Patience patience = new Patience(Patience.LIMIT);
            while (faults.calls("poll") == before && patience.lasts()) {
                Thread.onSpinWait();
            }
            assertThrows(OutOfMemoryError.class, stream::close);
            stream.close();
            waiter.result();
        }
    }
}
