package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_CLOSE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_ADD;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_REMOVE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECVMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND_ZC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SHUTDOWN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SPLICE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_TIMEOUT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Results that no man page names, for requests that are in flight: the operation completes once, as a failure, and
 * everything else goes on. More than was asked for is not believed, so that no memory is taken for what has come.
 */
@Tag(Campaign.TAG)
@EnabledIfIoUring
@Timeout(120)
class ImpossibleResultTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long NANOS = PATIENCE.toNanos();
    /** The size of every buffer, and of the file. */
    private static final int SIZE = 64;
    private static final int LONG = 200_000;
    /** Behind the last error that has a name; the kernel itself uses some from 512 on. */
    private static final int NAMELESS = 600;

    /** A kind of operation, and the opcode of the request that comes back with the impossible result. */
    private enum Kind {
        RECEIVE(IORING_OP_RECV), RECEIVE_TO_HEAP(IORING_OP_RECV), SCATTER(IORING_OP_RECVMSG),
        RECEIVE_CONTINUOUSLY(IORING_OP_RECV), SEND(IORING_OP_SEND), SEND_FROM_HEAP(IORING_OP_SEND),
        SEND_WITHOUT_COPY(IORING_OP_SEND_ZC), SHUTDOWN(IORING_OP_SHUTDOWN), READ(IORING_OP_READ),
        WRITE(IORING_OP_WRITE), WRITE_OF_CHAIN(IORING_OP_WRITE), FORCE_OF_CHAIN(IORING_OP_FSYNC),
        FORCE(IORING_OP_FSYNC), FORCE_DATA(IORING_OP_FSYNC), TRANSMIT_READ(IORING_OP_READ),
        TRANSMIT_SEND(IORING_OP_SEND), TRANSMIT_SPLICE(IORING_OP_SPLICE), TRANSMIT_PARTS(IORING_OP_SENDMSG),
        TRANSMIT_HEAD(IORING_OP_SEND), POLL(IORING_OP_POLL_ADD), TIMEOUT(IORING_OP_TIMEOUT), CLOSE(IORING_OP_CLOSE);

        private final int opcode;

        Kind(int opcode) {
            this.opcode = opcode;
        }

        /** {@return whether any number from 0 on says something} */
        private boolean takesAllNumbers() {
            return this == POLL || this == TIMEOUT;
        }

        private boolean isOnFile() {
            return switch (this) {
                case READ, WRITE, WRITE_OF_CHAIN, FORCE_OF_CHAIN, FORCE, FORCE_DATA -> true;
                default -> false;
            };
        }
    }

    @TempDir
    Path directory;

    private FaultInjection calls;
    private RewrittenCompletions rewritten;
    private IoUringDemultiplexer demultiplexer;
    private Completions completions;
    private SocketStream near;
    private SocketStream far;
    private FileHandle file;

    private void open() throws IOException {
        // What the cache has the loop thread would send.
        calls = FaultInjection.install().failEach("preadv2", Errno.EAGAIN);
        rewritten = RewrittenCompletions.install();
        demultiplexer = new IoUringDemultiplexer(
                new IoUringSize(64, 128, ProvidedBuffers.Size.DEFAULT, SIZE + 1), false);
        completions = demultiplexer.newCompletions(8);
        try (SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0))) {
            far = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
            near = acceptor.accept(PATIENCE);
        }
        // Otherwise writes might need no request.
        file = FileHandle.open(directory.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
    }

    private void close() {
        demultiplexer.close();
        completions.close();
        near.close();
        far.close();
        file.close();
        rewritten.close();
        calls.close();
    }

    @BeforeEach
    void writeFile() throws IOException {
        Files.write(directory.resolve("file"), new byte[LONG]);
    }

    private void start(Kind kind) throws IOException {
        Association where = demultiplexer.associate(kind.isOnFile() ? file.handle() : near.handle());
        Operation operation = demultiplexer.newOperation();
        switch (kind) {
            case RECEIVE -> operation.receive(where, ByteBuffer.allocateDirect(SIZE));
            case RECEIVE_TO_HEAP -> operation.receive(where, ByteBuffer.allocate(SIZE));
            case SCATTER -> operation.receive(where,
                    new ByteBuffer[] {ByteBuffer.allocate(2), ByteBuffer.allocateDirect(SIZE)}, 0, 2);
            case RECEIVE_CONTINUOUSLY -> operation.receiveContinuously(where);
            case SEND -> operation.send(where, ByteBuffer.allocateDirect(SIZE), true);
            case SEND_FROM_HEAP -> operation.send(where, ByteBuffer.allocate(SIZE), true);
            case SEND_WITHOUT_COPY -> operation.send(where, ByteBuffer.allocateDirect(2 * SIZE), true);
            case SHUTDOWN -> operation.shutdown(where, true);
            case READ -> operation.read(where, ByteBuffer.allocateDirect(SIZE), 0);
            case WRITE -> operation.write(where, ByteBuffer.allocateDirect(SIZE), 0);
            case WRITE_OF_CHAIN, FORCE_OF_CHAIN ->
                    operation.writeAndForceData(where, ByteBuffer.allocateDirect(SIZE), 0);
            case FORCE -> operation.force(where);
            case FORCE_DATA -> operation.forceData(where);
            case TRANSMIT_READ, TRANSMIT_SEND -> operation.transmitFile(where, file, 0, SIZE, null, null);
            case TRANSMIT_SPLICE -> operation.transmitFile(where, file, 0, LONG, null, null);
            case TRANSMIT_PARTS -> operation.transmitFile(where, file, 0, SIZE, ByteBuffer.allocateDirect(1),
                    ByteBuffer.allocate(1));
            case TRANSMIT_HEAD -> operation.transmitFile(where, file, 0, LONG, ByteBuffer.allocate(SIZE), null);
            case POLL -> operation.poll(where, EventType.WRITE);
            case TIMEOUT -> operation.timeout(0);
            case CLOSE -> operation.close(where);
        }
    }

    /** Completes the request of an operation with a result, and checks the outcome of this operation and of others. */
    private void tryOne(Kind kind, int result) throws IOException {
        open();
        try {
            far.send(ByteBuffer.allocate(SIZE / 2));
            rewritten.next(kind.opcode, honest -> result);
            start(kind);
            Completion completion = last();
            if (result < 0 || !kind.takesAllNumbers()) {
                assertFalse(completion.isSuccess(), completion::toString);
                String call = kind == Kind.FORCE_OF_CHAIN ? "fdatasync" : completion.type().call();
                assertTrue(completion.error().getMessage().contains(call),
                        completion.error()::getMessage);
            }
            assertEquals(0, demultiplexer.inFlight());
            Operation control = demultiplexer.newOperation();
            control.post(1);
            assertSame(control, lastOperation());
        } finally {
            close();
        }
    }

    private Completion last() throws IOException {
        int index = -1;
        while (index < 0) {
            int count = demultiplexer.awaitCompletions(completions, NANOS);
            assertTrue(count > 0, "no completion");
            for (int i = 0; i < count; i++) {
                if (completions.get(i).isLast()) {
                    assertEquals(count - 1, i, "a completion behind the last");
                    index = i;
                }
            }
        }
        return completions.get(index);
    }

    private Operation lastOperation() throws IOException {
        assertEquals(1, demultiplexer.awaitCompletions(completions, NANOS));
        return completions.operation(0);
    }

    @ParameterizedTest
    @EnumSource
    void failsItsOperationAlone(Kind kind) throws IOException {
        Campaign campaign = Campaign.begin("impossible results of " + kind);
        for (int run = 0; run < Campaign.count(4, 2_000); run++) {
            Random random = campaign.random(run);
            int result = switch (random.nextInt(5)) {
                case 0 -> -4095;
                case 1 -> -NAMELESS - random.nextInt(1 << 20);
                case 2 -> Integer.MIN_VALUE + random.nextInt(2);
                case 3 -> Integer.MAX_VALUE - random.nextInt(2);
                default -> LONG + 1 + random.nextInt(1 << 20);
            };
            try {
                tryOne(kind, result);
            } catch (Throwable e) {
                throw new AssertionError(campaign + ", result " + result, e);
            }
        }
    }

    /** One byte more than there is room for, or than there was to send. */
    @ParameterizedTest
    @EnumSource(names = {"POLL", "TIMEOUT", "RECEIVE_CONTINUOUSLY", "TRANSMIT_SPLICE", "SEND_WITHOUT_COPY"},
            mode = EnumSource.Mode.EXCLUDE)
    void failsItsOperationForOneByteTooMany(Kind kind) throws IOException {
        tryOne(kind, SIZE + 3);
    }

    /** The memory behind the bytes that were read must not be sent. */
    @Test
    void noMemoryBesidesIsSent() throws IOException {
        open();
        try {
            rewritten.next(IORING_OP_READ, honest -> LONG);
            start(Kind.TRANSMIT_READ);
            assertFalse(last().isSuccess());
            near.shutdownOutput();
            assertFalse(far.receiveFully(ByteBuffer.allocate(1), PATIENCE), "a byte instead of the end");
        } finally {
            close();
        }
    }

    /** Its user data is that of no handle in the set, of a handle without a request, or of a removed handle. */
    @Test
    void completionOfNoRequestIsIgnored() throws IOException {
        Campaign campaign = Campaign.begin("unknown completions of io_uring-poll");
        rewritten = RewrittenCompletions.install();
        try (IoUringPollDemultiplexer set = new IoUringPollDemultiplexer();
                ReadyBatch ready = set.newReadyBatch(4); Pipe silent = Pipe.open();
                Pipe changing = Pipe.open()) {
            Membership idle = set.register(silent.source(), 0, "idle");
            Membership busy = set.register(changing.source(), EventType.READ, "busy");
            set.register(silent.sink(), EventType.READ, "removed").remove();
            for (int run = 0; run < Campaign.count(200, 20_000); run++) {
                Random random = campaign.random(run);
                long place = random.nextBoolean() ? random.nextInt(6) : random.nextInt();
                long generation = random.nextBoolean() ? random.nextInt(4) : random.nextInt();
                // Not the ones that the request in flight has.
                long stray = place == 1 ? 0 : place;
                rewritten.replaceNext(IORING_OP_POLL_REMOVE, generation << Integer.SIZE | stray & 0xFFFF_FFFFL,
                        random.nextInt(), random.nextInt());
                busy.setEvents(EventType.READ | EventType.EXCEPTION);
                set.awaitReady(ready, 0);
                assertEquals(0, ready.size(), campaign::toString);
                busy.setEvents(EventType.READ);
                set.awaitReady(ready, 0);
                assertEquals(0, ready.size(), campaign::toString);
            }
            idle.setEvents(EventType.READ);
            changing.send(ByteBuffer.allocate(1));
            assertEquals(1, set.awaitReady(ready, TimeUnit.SECONDS.toNanos(30)));
            assertSame(busy, ready.membership(0));
        } finally {
            rewritten.close();
        }
    }
}
