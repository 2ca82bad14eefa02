package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_STATX;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code io_uring_enter} fails repeatedly: the failure is reported, nothing spins, and no memory is freed that the
 * kernel uses.
 */
@EnabledIfIoUring
@Timeout(60)
class FailingRingTest {

    private static final String CALL = "io_uring_enter";
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
    /** More changes than the submission queue has room for. */
    private static final int CHANGES = 1_000;
    /** Far more than it takes to give up, and far fewer than a processor makes in the time. */
    private static final int MANY_CALLS = 5_000;

    private FaultInjection faults;
    private Pipe pipe;
    private SocketDatagram datagrams;

    @BeforeEach
    void open() throws IOException {
        faults = FaultInjection.install();
        pipe = Pipe.open();
        datagrams = SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0));
    }

    @AfterEach
    void close() {
        faults.close();
        pipe.close();
        datagrams.close();
    }

    private static void assertCallFails(Errno error, Executable wait) {
        SystemCallException failure = assertThrows(SystemCallException.class, wait);
        assertEquals(error.name(), failure.errorName());
    }

    /** Both take the same way, and a thousand pauses until the call is no longer repeated. */
    static Stream<Errno> refusals(TestInfo test) {
        return Depth.some(test, Stream.of(Errno.EAGAIN, Errno.EBUSY), 1);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aKernelThatNeverAcceptsRequestsIsNotAskedForever(Errno refusal) throws IOException {
        try (IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer();
                Completions completions = demultiplexer.newCompletions(1)) {
            demultiplexer.newOperation().timeout(PATIENCE);
            int before = faults.calls(CALL);
            faults.failEach(CALL, refusal);
            assertCallFails(refusal, () -> demultiplexer.awaitCompletions(completions, PATIENCE));
            assertTrue(faults.calls(CALL) - before < MANY_CALLS, "it spins");
            faults.heal();
            assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        }
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aKernelThatNeverAcceptsPollsIsNotAskedForever(Errno refusal) throws IOException {
        try (IoUringPollDemultiplexer demultiplexer = new IoUringPollDemultiplexer();
                ReadyBatch ready = demultiplexer.newReadyBatch(1)) {
            Membership registration = demultiplexer.register(pipe.source(), EventType.READ, null);
            int before = faults.calls(CALL);
            faults.failEach(CALL, refusal);
            assertCallFails(refusal, () -> demultiplexer.awaitReady(ready, PATIENCE));
            assertTrue(faults.calls(CALL) - before < MANY_CALLS, "it spins");
            faults.heal();
            pipe.send(ByteBuffer.allocate(1));
            assertEquals(1, demultiplexer.awaitReady(ready, PATIENCE));
            assertSame(registration, ready.membership(0));
        }
    }

    @Test
    void changesThatCannotBeSubmittedAreMadeUpFor() throws IOException {
        try (IoUringPollDemultiplexer demultiplexer = new IoUringPollDemultiplexer();
                ReadyBatch ready = demultiplexer.newReadyBatch(1)) {
            Membership registration = demultiplexer.register(pipe.sink(), EventType.READ, null);
            faults.failEach(CALL, Errno.EPERM);
            for (int i = 0; i < CHANGES; i++) {
                registration.setEvents(i % 2 == 0 ? 0 : EventType.READ);
                assertCallFails(Errno.EPERM, () -> demultiplexer.awaitReady(ready, PATIENCE));
            }
            faults.heal();
            registration.setEvents(EventType.WRITE);
            assertEquals(1, demultiplexer.awaitReady(ready, PATIENCE));
            assertSame(registration, ready.membership(0));
            assertEquals(EventType.WRITE, ready.events(0));
        }
    }

    @Test
    void whatTheKernelMayStillWriteToIsNotFreed() throws IOException {
        long before = MemoryBlock.openBytes();
        IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer();
        Completions completions = demultiplexer.newCompletions(1);
        ByteBuffer buffer = ByteBuffer.allocateDirect(1);
        WeakReference<ByteBuffer> user = new WeakReference<>(buffer);
        Operation receive = demultiplexer.newOperation();
        receive.receiveFrom(demultiplexer.associate(datagrams.handle()), buffer, null);
        assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        faults.failEach(CALL, Errno.EPERM);
        UncheckedIOException failure = assertThrows(UncheckedIOException.class, demultiplexer::close);
        assertTrue(failure.getMessage().contains("cannot end"), failure.getMessage());
        completions.close();
        assertFalse(receive.isInFlight());
        assertEquals(0, demultiplexer.inFlight());
        assertTrue(MemoryBlock.openBytes() > before, "freed");
        WeakReference<Object> witness = new WeakReference<>(new Object());
        buffer = null;
        while (witness.get() != null) {
            System.gc();
        }
        assertNotNull(user.get(), "the user's buffer is freed");
    }

    /** Unlike memory, descriptors can be closed: the kernel keeps what they lead to. */
    @Test
    void noDescriptorIsLeftOpen() throws IOException {
        OpenDescriptors before = OpenDescriptors.now();
        IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer();
        Completions completions = demultiplexer.newCompletions(1);
        Pipe other = Pipe.open();
        Operation receive = demultiplexer.newOperation();
        receive.poll(demultiplexer.associate(other.source()), EventType.READ);
        assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        faults.failEach(CALL, Errno.EPERM);
        Operation close = demultiplexer.newOperation();
        close.close(receive.association());
        assertThrows(UncheckedIOException.class, demultiplexer::close);
        completions.close();
        other.sink().close();
        assertFalse(other.source().isOpen());
        assertEquals("", OpenDescriptors.now().without(before));
    }

    /** Of a directory that is forced, and of a file that loses its name, of which the kernel says nothing more. */
    @Test
    void noFileIsLeftOpen(@TempDir Path directory) throws IOException {
        Path path = directory.resolve("file");
        OpenDescriptors before = OpenDescriptors.now();
        try (RewrittenCompletions rewritten = RewrittenCompletions.install();
                DirectoryHandle folder = DirectoryHandle.open(directory)) {
            IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer();
            Completions completions = demultiplexer.newCompletions(1);
            rewritten.loseNext(IORING_OP_FSYNC).loseNext(IORING_OP_STATX);
            demultiplexer.newOperation().forceDirectory(folder);
            demultiplexer.newOperation().open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.DELETE_ON_CLOSE);
            while (rewritten.submitted(IORING_OP_FSYNC) == 0 || rewritten.submitted(IORING_OP_STATX) == 0) {
                assertEquals(0, demultiplexer.awaitCompletions(completions, TimeUnit.MILLISECONDS.toNanos(1)));
            }
            faults.failEach(CALL, Errno.EPERM);
            assertThrows(UncheckedIOException.class, demultiplexer::close);
            completions.close();
        }
        assertEquals("", OpenDescriptors.now().without(before));
        assertFalse(Files.exists(path));
    }
}
