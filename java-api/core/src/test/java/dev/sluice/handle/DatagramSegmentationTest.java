package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Emulator;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import dev.sluice.handle.Inbox.Way;
import dev.sluice.handle.SocketDatagramTest.Network;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The datagrams that were added arrive, whether or not the system segments messages. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class DatagramSegmentationTest extends LeakChecked {

    private static final int CAPACITY = 64;
    /** Bytes that a socket buffers without being read, even if each byte of a datagram counts twice. */
    private static final int AT_A_TIME = 64_000;
    private static final int LONGEST_PACKET = 65_535;
    /** Step between the sizes below Ethernet's limit that are tried with one or two bytes more or less. */
    private static final int STEP = Depth.times(31, 7, 1);
    private static final int ROUNDS = Depth.times(10, 40, 150);
    private static final int[] SIZES = {0, 1, 2, 7, 8, 64, 1199, 1200, 1472, 1473, 8192, 32_733, 32_734, 40_000};

    private record Parcel(Inbox to, byte[] content) {
    }

    @TempDir
    Path directory;

    private final Deque<Parcel> added = new ArrayDeque<>();
    private FaultInjection faults;
    private SocketDatagram from;
    private DatagramSendBatch batch;
    private int number;

    private void open(Network network) throws Exception {
        from = own(network.open(directory));
        batch = own(new DatagramSendBatch(from, CAPACITY, 65_507));
    }

    private Inbox inbox(Network network, Way way) throws Exception {
        SocketDatagram socket = own(network.open(directory));
        socket.setOption(NativeSocketOptions.SO_RCVBUF, 200_000);
        return own(new Inbox(socket, from.localAddress(), way));
    }

    private Inbox openWithFaults() throws Exception {
        assumeTrue(Platform.CURRENT.os() == Platform.Os.LINUX, "names the calls of Linux");
        faults = FaultInjection.install();
        open(Network.UDP4);
        assumeSegments();
        return inbox(Network.UDP4, Way.SINGLY);
    }

    private void assumeSegments() throws IOException {
        long fd = from.descriptor.acquire();
        try {
            assumeTrue(from.system.supportsSegmentation(fd), "before Linux 4.18");
        } finally {
            from.descriptor.release();
        }
        Emulator.deviatesInControlData();
    }

    private void useSegmentation(Network network, boolean segmentation) {
        if (segmentation && network != Network.UNIX) {
            Emulator.deviatesInControlData();
        }
        batch.useSegmentation(segmentation);
    }

    @AfterEach
    void closeFaults() {
        if (faults != null) {
            faults.close();
        }
    }

    private void add(Inbox to, int count, int size) throws IOException {
        for (int i = 0; i < count; i++) {
            byte[] content = Bytes.random(size);
            if (size >= Integer.BYTES) {
                ByteBuffer.wrap(content).putInt(number++);
            }
            assertTrue(batch.add(ByteBuffer.wrap(content), to.address()));
            added.add(new Parcel(to, content));
        }
    }

    private int send() throws Exception {
        int sent = batch.send();
        for (int i = 0; i < sent; i++) {
            Parcel parcel = added.remove();
            parcel.to().expect(parcel.content());
        }
        assertEquals(added.size(), batch.count());
        return sent;
    }

    private void sendAll(Inbox... inboxes) throws Exception {
        while (batch.count() > 0) {
            send();
            for (Inbox inbox : inboxes) {
                inbox.awaitAll();
            }
        }
    }

    private int sendAtMost(int messages) throws Exception {
        faults.heal();
        faults.shortenNth("sendmmsg", 1, messages).failNth("sendmmsg", 2, Errno.EAGAIN);
        return send();
    }

    /** {@return the number of datagrams in the first message of a call} */
    private int inTheFirstMessage() throws Exception {
        return sendAtMost(1);
    }

    private static Stream<Arguments> everyWay() {
        return Stream.of(Network.values()).flatMap(network -> Stream.of(Way.values()).flatMap(way ->
                Stream.of(Arguments.of(network, way, true), Arguments.of(network, way, false))));
    }

    @ParameterizedTest
    @MethodSource("everyWay")
    void mixedSizesAndPeers(Network network, Way way, boolean segmentation) throws Exception {
        open(network);
        useSegmentation(network, segmentation);
        Inbox[] inboxes = {inbox(network, way), inbox(network, way), inbox(network, way)};
        Random random = new Random(4711);
        for (int round = 0; round < ROUNDS; round++) {
            int left = AT_A_TIME;
            for (int count = random.nextInt(30); batch.count() + count <= CAPACITY; count = random.nextInt(30)) {
                int size = SIZES[random.nextInt(SIZES.length)];
                int fitting = size == 0 ? count : Math.min(count, left / size);
                Inbox to = inboxes[random.nextInt(inboxes.length)];
                add(to, fitting, size);
                left -= fitting * size;
                if (random.nextBoolean() && batch.count() < CAPACITY && left > 0) {
                    int shorter = random.nextInt(Math.min(size + 1, left));
                    add(to, 1, shorter);
                    left -= shorter;
                }
            }
            sendAll(inboxes);
        }
    }

    @ParameterizedTest
    @MethodSource("everyWay")
    void everySize(Network network, Way way, boolean segmentation) throws Exception {
        open(network);
        useSegmentation(network, segmentation);
        Inbox inbox = inbox(network, way);
        // IPv6's header is 20 bytes longer, and lo's MTU is 64 KiB.
        int longest = network == Network.UDP6 ? 65_487 : 65_507;
        for (int size = 0; size <= longest; size += size < 1600 ? STEP : Math.min(1 + size / 10, longest - size)) {
            int count = Math.min(4, Math.max(1, AT_A_TIME / (size + 1)));
            add(inbox, count, size);
            if (count > 1) {
                add(inbox, 1, size / 2);
                add(inbox, 1, size / 2);
            }
            sendAll(inbox);
            if (size == longest) {
                break;
            }
        }
    }

    @Test
    void runIsSentAsOneMessage() throws Exception {
        Inbox inbox = openWithFaults();
        add(inbox, 10, 100);
        add(inbox, 1, 99);
        add(inbox, 3, 99);
        assertEquals(11, inTheFirstMessage(), "a shorter one ends it");
        assertEquals(3, inTheFirstMessage());
        add(inbox, 2, 100);
        add(inbox, 2, 101);
        assertEquals(2, inTheFirstMessage(), "a longer one begins another");
        add(inbox, 2, 101);
        assertEquals(4, inTheFirstMessage());
        add(inbox, 3, 5);
        add(inbox, 1, 0);
        add(inbox, 2, 5);
        assertEquals(3, inTheFirstMessage(), "without the empty one");
        assertEquals(1, inTheFirstMessage(), "the empty one");
        assertEquals(2, inTheFirstMessage());
        inbox.awaitAll();
    }

    @Test
    void eachPeerHasItsOwnMessages() throws Exception {
        Inbox one = openWithFaults();
        Inbox other = inbox(Network.UDP4, Way.SINGLY);
        add(one, 3, 10);
        add(other, 4, 10);
        add(one, 2, 10);
        for (int expected : new int[] {3, 4, 2}) {
            assertEquals(expected, inTheFirstMessage());
        }
        one.awaitAll();
        other.awaitAll();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIX")
    void noMessageIsTooLarge(Network network) throws Exception {
        assumeTrue(Platform.CURRENT.os() == Platform.Os.LINUX, "names the calls of Linux");
        faults = FaultInjection.install();
        int mtu = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).getMTU();
        assumeTrue(mtu >= LONGEST_PACKET, () -> "the loopback interface takes packets of " + mtu + " bytes only");
        open(network);
        assumeSegments();
        Inbox inbox = inbox(network, Way.SINGLY);
        batch.close();
        batch = own(new DatagramSendBatch(from, 200, 65_507));
        add(inbox, 70, 1);
        assertEquals(64, inTheFirstMessage());
        assertEquals(6, inTheFirstMessage());
        inbox.awaitAll();
        add(inbox, 8, 9000);
        assertEquals(7, inTheFirstMessage());
        assertEquals(1, inTheFirstMessage());
        inbox.awaitAll();
        add(inbox, 1, 40_000);
        add(inbox, 1, 65_467 - 40_000);
        assertEquals(2, inTheFirstMessage(), "the longest");
        add(inbox, 1, 40_000);
        add(inbox, 1, 65_468 - 40_000);
        assertEquals(1, inTheFirstMessage());
        sendAll(inbox);
        inbox.awaitAll();
    }

    @ParameterizedTest
    @EnumSource(names = {"EINVAL", "EMSGSIZE", "EIO", "EOPNOTSUPP"})
    void messageThatIsNotSegmentedIsSentIndividually(Errno refusal) throws Exception {
        Inbox inbox = openWithFaults();
        add(inbox, 20, 1400);
        faults.failNth("sendmmsg", 1, refusal);
        assertEquals(20, send());
        inbox.awaitAll();
        boolean tooLong = refusal == Errno.EINVAL || refusal == Errno.EMSGSIZE;
        add(inbox, 5, 1400);
        assertEquals(1, inTheFirstMessage(), "not remembered");
        sendAll(inbox);
        add(inbox, 5, 1399);
        assertEquals(tooLong ? 5 : 1, inTheFirstMessage());
        sendAll(inbox);
    }

    @ParameterizedTest
    @EnumSource(names = {"EINVAL", "EMSGSIZE", "EIO", "EOPNOTSUPP"})
    void rejectedDatagramDoesNotAffectOthers(Errno refusal) throws Exception {
        Inbox one = openWithFaults();
        Inbox other = inbox(Network.UDP4, Way.SINGLY);
        add(one, 4, 10);
        add(other, 9, 20);
        add(one, 4, 10);
        // The first is sent; the second fails and is sent in three parts.
        faults.shortenNth("sendmmsg", 1, 1).failNth("sendmmsg", 2, refusal).shortenNth("sendmmsg", 3, 5)
                .failNth("sendmmsg", 4, Errno.EAGAIN).failNth("sendmmsg", 5, Errno.EINTR)
                .shortenNth("sendmmsg", 6, 1);
        assertEquals(9, send());
        one.awaitAll();
        other.awaitAll();
        assertEquals(8, send());
        one.awaitAll();
        other.awaitAll();
    }

    @Test
    void datagramErrorDoesNotDisableSegmentation() throws Exception {
        Inbox inbox = openWithFaults();
        // Linux reports EINVAL for port 0.
        PeerAddress nowhere = PeerAddress.of(new InetSocketAddress("127.0.0.1", 0));
        for (int i = 0; i < 3; i++) {
            assertTrue(batch.add(ByteBuffer.allocate(10), nowhere));
        }
        for (int left = 3; left > 0; left--) {
            SystemCallException e = assertThrows(SystemCallException.class, batch::send);
            assertEquals("EINVAL", e.errorName());
            assertEquals(left, batch.count());
            batch.skip();
        }
        add(inbox, 3, 10);
        assertEquals(3, inTheFirstMessage());
        inbox.awaitAll();
    }

    @Test
    void fullRunIsSentOnceAndInOrder() throws Exception {
        Inbox inbox = openWithFaults();
        for (int round = 0; round < 20; round++) {
            for (int size = 1; batch.count() + 7 <= CAPACITY; size += 17) {
                add(inbox, 7, 4 + (size + round) % 40);
            }
            while (batch.count() > 0) {
                sendAtMost(2);
                inbox.awaitAll();
            }
        }
    }

    @Test
    void errorOfOnePeerDoesNotAffectOthers() throws Exception {
        open(Network.UDP4);
        useSegmentation(Network.UDP4, true);
        Inbox one = inbox(Network.UDP4, Way.SINGLY);
        SocketDatagram refusing = own(Network.UDP4.open(directory));
        Inbox refuses = own(new Inbox(refusing, from.localAddress(), Way.SINGLY));
        // Connected to itself: it keeps its port and receives only from itself.
        refusing.connect(refusing.localAddress());
        for (int i = 0; i < 3; i++) {
            add(one, 5, 30);
            add(refuses, 5, 30);
            add(one, 5, 30);
            assertEquals(15, batch.send());
            added.stream().filter(parcel -> parcel.to() == one).forEach(parcel -> one.expect(parcel.content()));
            added.clear();
            one.awaitAll();
        }
    }

    @Test
    void refusalByAConnectedPeerIsThrownOnce() throws Exception {
        WineDifference.REFUSED_DATAGRAM_IS_NOT_REPORTED.assumeAbsent();
        open(Network.UDP4);
        SocketDatagram refusing = own(Network.UDP4.open(directory));
        refusing.connect(refusing.localAddress());
        from.connect(refusing.localAddress());
        for (int i = 0; i < 3; i++) {
            fill();
            assertEquals(10, batch.send());
            Patience.awaitReadable(from);
            fill();
            assertEquals("ECONNREFUSED", assertThrows(SystemCallException.class, batch::send).errorName());
            assertEquals(10, batch.count());
            assertEquals(10, batch.send());
            Patience.awaitReadable(from);
            assertThrows(SystemCallException.class, () -> from.receive(ByteBuffer.allocate(1), null));
        }
    }

    private void fill() {
        for (int j = 0; j < 10; j++) {
            assertTrue(batch.add(ByteBuffer.allocate(50)));
        }
    }

    @Test
    void droppedDatagramsAreQueriedWhereTheSystemCountsThem() throws Exception {
        assumeTrue(Platform.CURRENT.os() == Platform.Os.LINUX, "names the calls of Linux");
        faults = FaultInjection.install().failEach("getsockopt", Errno.ENOPROTOOPT);
        open(Network.UDP4);
        Inbox inbox = inbox(Network.UDP4, Way.SINGLY);
        add(inbox, 5, 10);
        assertEquals(1, inTheFirstMessage());
        sendAll(inbox);
    }

    @Test
    void itNeedNotBeUsed() throws Exception {
        Inbox inbox = openWithFaults();
        for (boolean wanted : List.of(false, true, false)) {
            batch.useSegmentation(wanted);
            add(inbox, 5, 10);
            assertEquals(wanted ? 5 : 1, inTheFirstMessage());
            sendAll(inbox);
        }
    }

    @Test
    void worksWithoutSendmmsg() throws Exception {
        Inbox inbox = openWithFaults();
        faults.failEach("sendmmsg", Errno.ENOSYS);
        add(inbox, 5, 10);
        assertEquals(5, send());
        inbox.awaitAll();
    }

    @Test
    void aClosedSocketHasNoBatch() throws Exception {
        open(Network.UDP4);
        from.close();
        assertThrows(HandleClosedException.class, () -> new DatagramSendBatch(from, 1, 1));
    }
}
