package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_FSYNC_DATASYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ASYNC_CANCEL;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CLOSE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_ADD;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND_ZC;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.spi.Descriptors;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers of the kernel that ask for another attempt, or must not be taken to ask for one. */
@EnabledIfIoUring
@Timeout(60)
class RepeatedRequestTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int FROM = 16;
    private static final byte[] CONTENT = "a few bytes, and enough of them not to be copied".getBytes();

    private RewrittenCompletions rewritten;
    private IoUringDemultiplexer demultiplexer;
    private Completions completions;
    private SocketStream near;
    private SocketStream far;

    @BeforeEach
    void open() throws IOException {
        rewritten = RewrittenCompletions.install();
        demultiplexer = new IoUringDemultiplexer(
                new IoUringSize(64, 128, ProvidedBuffers.Size.DEFAULT, FROM), false);
        completions = demultiplexer.newCompletions(8);
        try (SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0))) {
            far = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
            near = acceptor.accept(PATIENCE);
        }
    }

    @AfterEach
    void close() {
        demultiplexer.close();
        completions.close();
        near.close();
        far.close();
        rewritten.close();
    }

    /** {@return the result of the next completion, the only one of its wait} */
    private long result() throws IOException {
        assertEquals(1, demultiplexer.awaitCompletions(completions, TimeUnit.SECONDS.toNanos(30)));
        return completions.result(0);
    }

    private static int interrupted(int result) {
        return -Errno.EINTR.number();
    }

    /** Its user data is that of no operation, or of a completed one. */
    @Test
    @Tag(Campaign.TAG)
    void completionOfNoOperationIsIgnored() throws IOException {
        Association association = demultiplexer.associate(near.handle());
        Campaign campaign = Campaign.begin("unknown completions of io_uring");
        for (int run = 0; run < Campaign.count(200, 20_000); run++) {
            Random random = campaign.random(run);
            long place = random.nextBoolean() ? random.nextInt(80) : random.nextInt();
            // The receive has one of the first generations, and what is no operation's has a negative one.
            long generation = Integer.MAX_VALUE - random.nextInt(1 << 20);
            rewritten.replaceNext(IORING_OP_ASYNC_CANCEL, generation << Integer.SIZE | place & 0xFFFF_FFFFL,
                    random.nextInt(), random.nextInt());
            Operation receive = demultiplexer.newOperation();
            receive.receive(association, ByteBuffer.allocate(1));
            demultiplexer.awaitCompletions(completions, 0);
            receive.cancel();
            assertEquals(-Errno.ECANCELED.number(), result(), campaign::toString);
            demultiplexer.awaitCompletions(completions, 0);
        }
    }

    /** The descriptor is closed nevertheless, and its number may have been reused by the second attempt (close(2)). */
    @Test
    void anInterruptedCloseIsNotRepeated() throws IOException {
        rewritten.next(IORING_OP_CLOSE, RepeatedRequestTest::interrupted);
        demultiplexer.newOperation().close(demultiplexer.associate(near.handle()));
        assertEquals(0, result());
        assertEquals(1, rewritten.submitted(IORING_OP_CLOSE));
    }

    @Test
    void anInterruptedOpenIsRepeated(@TempDir Path directory) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        rewritten.next(IORING_OP_OPENAT, result -> {
            // An open that has been interrupted has opened nothing.
            Bindings.current().posix().close(result);
            return interrupted(result);
        });
        demultiplexer.newOperation().open(file);
        assertEquals(0, result());
        completions.get(0).file().close();
        assertEquals(2, rewritten.submitted(IORING_OP_OPENAT));
    }

    @Test
    void anInterruptedForceIsRepeatedAsItWas(@TempDir Path directory) throws IOException {
        FileHandle file = own(FileHandle.open(Files.createFile(directory.resolve("file")), StandardOpenOption.WRITE));
        Association where = demultiplexer.associate(file.handle());
        rewritten.next(IORING_OP_FSYNC, RepeatedRequestTest::interrupted);
        demultiplexer.newOperation().forceData(where);
        assertEquals(0, result());
        assertEquals(2, rewritten.submitted(IORING_OP_FSYNC));
        assertEquals(IORING_FSYNC_DATASYNC, rewritten.latestFlags(IORING_OP_FSYNC));
        demultiplexer.newOperation().force(where);
        assertEquals(0, result());
        assertEquals(0, rewritten.latestFlags(IORING_OP_FSYNC));
    }

    /** The kernel may have dropped what it could not write, so another attempt would seem to succeed (fsync(2)). */
    @Test
    void aForceThatFailsIsNotRepeated(@TempDir Path directory) throws IOException {
        FileHandle file = own(FileHandle.open(Files.createFile(directory.resolve("file")), StandardOpenOption.WRITE));
        rewritten.next(IORING_OP_FSYNC, result -> -Errno.EIO.number());
        Operation force = demultiplexer.newOperation();
        force.forceData(demultiplexer.associate(file.handle()));
        long result = result();
        assertEquals("fdatasync " + file + ": EIO (input/output error)", force.error(result).getMessage());
        assertEquals(1, rewritten.submitted(IORING_OP_FSYNC));
    }

    @Test
    void anInterruptedContinuousReceiveContinues() throws IOException {
        Operation receive = demultiplexer.newOperation();
        receive.receiveContinuously(demultiplexer.associate(near.handle()));
        // It finds no buffer at first, and then waits.
        assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        int before = rewritten.submitted(IORING_OP_RECV);
        far.shutdownOutput();
        // The end of the stream, which the second attempt finds again.
        rewritten.next(IORING_OP_RECV, RepeatedRequestTest::interrupted);
        assertEquals(0, result());
        assertTrue(completions.get(0).isLast());
        assertEquals(before + 1, rewritten.submitted(IORING_OP_RECV));
    }

    /** The notification of the first attempt is none of the poll's or of the second attempt's. */
    @Test
    void refusedZeroCopySendIsRepeatedAfterItsNotification() throws IOException {
        rewritten.next(IORING_OP_SEND_ZC, result -> -Errno.EAGAIN.number());
        ByteBuffer content = ByteBuffer.allocateDirect(CONTENT.length).put(CONTENT).flip();
        demultiplexer.newOperation().send(demultiplexer.associate(near.handle()), content, true);
        assertEquals(CONTENT.length, result());
        assumeTrue(rewritten.submitted(IORING_OP_SEND_ZC) > 0, "this kernel cannot send without copying");
        assertEquals(2, rewritten.submitted(IORING_OP_SEND_ZC));
        assertEquals(1, rewritten.submitted(IORING_OP_POLL_ADD));
        near.shutdownOutput();
        // The kernel had sent what it was made to deny.
        ByteBuffer received = ByteBuffer.allocate(2 * CONTENT.length);
        assertTrue(far.receiveFully(received, PATIENCE));
        assertArrayEquals((new String(CONTENT) + new String(CONTENT)).getBytes(), received.array());
    }

    /** Waits once, in a thread that ends. */
    private void waitElsewhere() throws Exception {
        FutureTask<Integer> wait = new FutureTask<>(() -> demultiplexer.awaitCompletions(completions, 0));
        Thread loop = new Thread(wait);
        loop.start();
        loop.join();
        assertEquals(0, wait.get());
    }

    private static boolean isOpen(long descriptor) throws IOException {
        return OpenDescriptors.link((int) descriptor).isPresent();
    }

    private long descriptorOfNear() throws IOException {
        long descriptor = Descriptors.of(near.handle()).acquire();
        Descriptors.of(near.handle()).release();
        return descriptor;
    }

    /** The thread ends before it sees the completion, and the number is reused before the demultiplexer is closed. */
    @Test
    void aCloseThatTheKernelHasGotIsNotRepeatedAtTheEnd() throws Exception {
        rewritten.loseNext(IORING_OP_CLOSE);
        long descriptor = descriptorOfNear();
        demultiplexer.newOperation().close(demultiplexer.associate(near.handle()));
        waitElsewhere();
        assertFalse(isOpen(descriptor));
        List<Pipe> others = new ArrayList<>();
        while (!isOpen(descriptor)) {
            others.add(own(Pipe.open()));
        }
        demultiplexer.close();
        assertTrue(isOpen(descriptor), "a reused descriptor is closed");
    }

    @Test
    void aCloseThatTheKernelHasNotGotIsMadeAtTheEnd() throws Exception {
        long descriptor = descriptorOfNear();
        demultiplexer.newOperation().close(demultiplexer.associate(near.handle()));
        rewritten.refuseEach();
        waitElsewhere();
        assertTrue(isOpen(descriptor));
        demultiplexer.close();
        assertFalse(isOpen(descriptor));
    }
}
