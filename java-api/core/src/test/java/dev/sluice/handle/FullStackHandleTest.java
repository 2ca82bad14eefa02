package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import dev.sluice.testing.FullStack;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A thread whose stack is full uses a handle: it enters and leaves the handle, or does not enter. */
@Tag(Depth.IN_QUICK)
class FullStackHandleTest extends LeakChecked {

    private static final int MAX_FRAMES = 60;
    /** More than an opening needs. */
    private static final int MAX_FRAMES_TO_OPEN = 300;
    private static final int STEP = Depth.times(20, 5, 1);
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    private Path directory;

    /** A use of the handle. */
    @FunctionalInterface
    private interface Use {
        void of(Pipe pipe) throws Exception;
    }

    private static void acquireAndRelease(Pipe pipe) throws Exception {
        Descriptor descriptor = Descriptors.of(pipe.source());
        // As in every call on a handle, nothing is called in between that may overflow the stack.
        descriptor.acquire();
        descriptor.release();
    }

    @Test
    void threadWithoutStackReleasesTheDescriptor() throws Exception {
        assertCloses(FullStackHandleTest::acquireAndRelease);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void callWithoutStackReleasesTheDescriptor() throws Exception {
        assertCloses(pipe -> pipe.receive(ByteBuffer.allocate(1)));
    }

    @Test
    void closeWithoutStackIsRepeated() throws Exception {
        assertCloses(Pipe::close);
    }

    /** Open descriptors are detected after the test. */
    private static void assertCloses(Use use) throws Exception {
        for (int frames = 0; frames < MAX_FRAMES; frames++) {
            Pipe pipe = Pipe.open();
            int left = frames;
            FullStack.run(frames + " frames left", Patience.LIMIT,
                    () -> FullStack.callWithFramesLeft(left, () -> use.of(pipe)));
            pipe.close();
            assertFalse(pipe.source().isOpen());
        }
    }

    @Test
    void openingWithoutStackLeavesNothingOpen() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertLeavesNothing(Pipe::open);
        assertLeavesNothing(() -> SocketDatagram.open(LOOPBACK));
        assertLeavesNothing(() -> SocketAcceptor.open(LOOPBACK));
        assertLeavesNothing(() -> FileHandle.open(file));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void duplicateWithoutStackLeavesNothingOpen() throws Exception {
        try (SocketAcceptor acceptor = SocketAcceptor.open(LOOPBACK)) {
            assertLeavesNothing(acceptor::duplicate);
        }
    }

    private static void assertLeavesNothing(Callable<AutoCloseable> opening) throws Exception {
        // Its classes could not be initialized on a full stack.
        opening.call().close();
        for (int frames = 0; frames < MAX_FRAMES_TO_OPEN; frames += STEP) {
            AtomicReference<AutoCloseable> opened = new AtomicReference<>();
            int left = frames;
            FullStack.run(frames + " frames left", Patience.LIMIT,
                    () -> FullStack.callWithFramesLeft(left, () -> opened.set(opening.call())));
            if (opened.get() != null) {
                opened.get().close();
            }
        }
    }

    @Test
    void acceptWithoutStackLosesNoConnection() throws Exception {
        try (SocketAcceptor acceptor = SocketAcceptor.open(LOOPBACK)) {
            connectAndAccept(acceptor, () -> null);
            for (int frames = 0; frames < MAX_FRAMES_TO_OPEN; frames += STEP) {
                AtomicReference<SocketStream> accepted = new AtomicReference<>();
                int left = frames;
                connectAndAccept(acceptor, () -> {
                    FullStack.run(left + " frames left", Patience.LIMIT,
                            () -> FullStack.callWithFramesLeft(left, () -> accepted.set(acceptor.accept())));
                    return accepted.get();
                });
            }
        }
    }

    /** Accepts the connection if the attempt has not succeeded. */
    private static void connectAndAccept(SocketAcceptor acceptor, Callable<SocketStream> attempt) throws Exception {
        try (SocketStream client = SocketConnector.connect(acceptor.localAddress(), Patience.LIMIT)) {
            assertTrue(client.handle().isOpen());
            SocketStream accepted = attempt.call();
            (accepted != null ? accepted : acceptor.accept(Patience.LIMIT)).close();
        }
    }

    /** Another thread waits for a handle whose close has no memory at first. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void repeatedCloseEndsTheWaitOfAnotherThread() throws Exception {
        try (FaultInjection faults = FaultInjection.install();
                StreamPair pair = Transport.TCP4.connect(directory)) {
            SocketStream stream = pair.server();
            faults.throwNth("shutdown", 1, new OutOfMemoryError("thrown by the test"));
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
