package dev.sluice.samples.gnutella.handshake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both sides of the beginning, as 0.4 and 0.6 have it. */
@Tag(Depth.IN_QUICK)
class HandshakeTest {

    private static final String OUR_OK = "GNUTELLA/0.6 200 OK\r\nUser-Agent: Sluice\r\nBye-Packet: 0.1\r\n\r\n";
    private static final InetSocketAddress OTHER = new InetSocketAddress("10.0.0.1", 6346);

    private final StringBuilder sent = new StringBuilder();
    private boolean mayAccept = true;
    private final AcceptingHandshake accepting = new AcceptingHandshake(() -> mayAccept, () -> List.of(OTHER));

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
    }

    private static String text(ByteBuffer bytes) {
        return ISO_8859_1.decode(bytes).toString();
    }

    private Neighbour take(Handshake handshake, String text) throws RefusedException {
        return take(handshake, bytes(text));
    }

    private Neighbour take(Handshake handshake, ByteBuffer bytes) throws RefusedException {
        return handshake.take(bytes, reply -> sent.append(text(reply)));
    }

    private RefusedException refused(Handshake handshake, String text) {
        return assertThrows(RefusedException.class, () -> take(handshake, text));
    }

    @Test
    void acceptsAnOldOneAndLeavesWhatFollows() throws Exception {
        ByteBuffer bytes = bytes("GNUTELLA CONNECT/0.4\n\n0123456789");
        assertEquals(Neighbour.SILENT, take(accepting, bytes));
        assertEquals("GNUTELLA OK\n\n", sent.toString());
        assertEquals(10, bytes.remaining());
    }

    @Test
    void acceptsANewOneInThreeSteps() throws Exception {
        assertNull(take(accepting, "GNUTELLA CONNECT/0.6\r\nUser-Agent: other\r\nBYE-PACKET : 0.1\r\nnonsense\r\n"
                + "X-Try: 1.2.3.4:5, 300.1.1.1:1, 5.6.7.8:99999, name:1, 9.9.9.9:6346\r\n\r\n"));
        assertEquals(OUR_OK, sent.toString());
        ByteBuffer bytes = bytes("GNUTELLA/0.6 200 Fine\r\n\r\nmessages");
        Neighbour neighbour = take(accepting, bytes);
        assertTrue(neighbour.knowsBye());
        assertEquals(List.of(new InetSocketAddress("1.2.3.4", 5), new InetSocketAddress("9.9.9.9", 6346)),
                neighbour.others());
        assertEquals(8, bytes.remaining());
    }

    @Test
    void takesOneByteAtATimeAndAllAtOnce() throws Exception {
        String all = "GNUTELLA CONNECT/0.6\nHeader: x\n\nGNUTELLA/0.6 200 OK\n\n";
        assertFalse(take(accepting, all).knowsBye());
        assertEquals(OUR_OK, sent.toString());
        sent.setLength(0);
        AcceptingHandshake another = new AcceptingHandshake(() -> true, List::of);
        for (int i = 0; i < all.length() - 1; i++) {
            assertNull(take(another, all.substring(i, i + 1)));
        }
        assertNotNull(take(another, "\n"));
        assertEquals(OUR_OK, sent.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.7", "0.6", "0.10", "1.0", "9999.9999"})
    void aHigherVersionIsAnsweredWithOurs(String version) throws Exception {
        assertNull(take(accepting, "GNUTELLA CONNECT/" + version + "\r\n\r\n"));
        assertEquals(OUR_OK, sent.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "\n", "GNUTELLA CONNECT/\n\n", "GNUTELLA CONNECT/0.6x\r\n\r\n",
        "GNUTELLA CONNECT/99999.1\r\n\r\n", "gnutella connect/0.6\r\n\r\n", "GNUTELLA OK\n\n"})
    void aWrongGreetingIsRefused(String greeting) {
        RefusedException refused = refused(accepting, greeting);
        assertEquals(Status.BAD, refused.status());
        assertNull(accepting.refusal(refused.status()));
        assertEquals("", sent.toString());
    }

    @Test
    void aWrongSecondPartIsRefusedInWords() throws Exception {
        assertNull(take(accepting, "GNUTELLA CONNECT/0.6\r\n\r\n"));
        RefusedException refused = refused(accepting, "what?\r\n\r\n");
        assertEquals("GNUTELLA/0.6 400 Bad Request\r\nX-Try: 10.0.0.1:6346\r\n\r\n",
                text(accepting.refusal(refused.status())));
    }

    @Test
    void theOtherSideMayChangeItsMind() throws Exception {
        assertNull(take(accepting, "GNUTELLA CONNECT/0.6\r\n\r\n"));
        RefusedException refused = refused(accepting, "GNUTELLA/0.6 503 Busy\r\nX-Try: 1.2.3.4:5\r\n\r\n");
        assertNull(refused.status());
        assertEquals(List.of(new InetSocketAddress("1.2.3.4", 5)), refused.others());
    }

    @Test
    void fullRouterNamesOtherHosts() {
        mayAccept = false;
        RefusedException refused = refused(accepting, "GNUTELLA CONNECT/0.6\r\n\r\n");
        assertEquals("GNUTELLA/0.6 503 Busy\r\nX-Try: 10.0.0.1:6346\r\n\r\n",
                text(accepting.refusal(refused.status())));
        AcceptingHandshake old = new AcceptingHandshake(() -> mayAccept, List::of);
        assertEquals(Status.BUSY, refused(old, "GNUTELLA CONNECT/0.4\n\n").status());
        assertNull(old.refusal(Status.BUSY));
        assertEquals("", sent.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GNUTELLA CONNECT/0.6,Header    | true
            GNUTELLA CONNECT/0.4,          | false
            GNUTELLA CONNECT/0.            | false
            ''                             | false
            """)
    void lateClientGetsARefusalInItsVersion(String soFar, boolean answered) throws Exception {
        assertNull(take(accepting, soFar.replace(",", "\r\n")));
        ByteBuffer refusal = accepting.refusal(Status.LATE);
        assertEquals(answered, refusal != null);
        assertTrue(!answered || text(refusal).startsWith("GNUTELLA/0.6 408 "));
    }

    @Test
    void aHeadHasABound() throws Exception {
        String greeting = "GNUTELLA CONNECT/0.6\r\n";
        assertNull(take(accepting, greeting + "x".repeat(HeadReader.MAX_BYTES - greeting.length())));
        RefusedException refused = refused(accepting, "x");
        assertEquals(Status.TOO_LARGE, refused.status());
        assertTrue(text(accepting.refusal(refused.status())).startsWith("GNUTELLA/0.6 431 "));
    }

    @Test
    void connectsInTheNewWay() throws Exception {
        ConnectingHandshake connecting = new ConnectingHandshake(Version.NEW);
        assertEquals("GNUTELLA CONNECT/0.6\r\nUser-Agent: Sluice\r\nBye-Packet: 0.1\r\n\r\n",
                text(connecting.greeting()));
        Neighbour neighbour = take(connecting, "GNUTELLA/0.6 200 OK\r\nBye-Packet: 0.1\r\n\r\n");
        assertTrue(neighbour.knowsBye());
        assertEquals("GNUTELLA/0.6 200 OK\r\n\r\n", sent.toString());
    }

    @Test
    void connectsInTheOldWay() throws Exception {
        ConnectingHandshake connecting = new ConnectingHandshake(Version.OLD);
        assertEquals("GNUTELLA CONNECT/0.4\n\n", text(connecting.greeting()));
        assertEquals(Neighbour.SILENT, take(connecting, "GNUTELLA OK\n\n"));
        assertEquals("", sent.toString());
    }

    @Test
    void aBusyOneTellsOfOthers() {
        ConnectingHandshake connecting = new ConnectingHandshake(Version.NEW);
        RefusedException refused = refused(connecting, "GNUTELLA/0.6 503 Busy\r\nX-Try: 1.2.3.4:5\r\n\r\n");
        assertEquals(List.of(new InetSocketAddress("1.2.3.4", 5)), refused.others());
        assertNull(refused.status());
        assertEquals("", sent.toString());
    }

    @ParameterizedTest
    @CsvSource({"NEW, HTTP/1.1 200 OK", "OLD, GNUTELLA/0.6 200 OK", "OLD, hello", "NEW, GNUTELLA/0.6 OK"})
    void anAnswerHasToBeOne(Version version, String answer) {
        assertEquals(Status.BAD, refused(new ConnectingHandshake(version), answer + "\r\n\r\n").status());
    }

    @Test
    void longAddressesHaveBrackets() {
        List<InetSocketAddress> hosts = List.of(new InetSocketAddress("2001:db8::1", 6346), OTHER);
        assertEquals("[2001:db8:0:0:0:0:0:1]:6346,10.0.0.1:6346", HostList.show(hosts));
        assertEquals(hosts, HostList.parse(HostList.show(hosts)));
        assertEquals(List.of(), HostList.parse("2001:db8::1:6346, [2001:db8::1], [::1::]:5, [1.2.3.4]:5, [abc]:5,"
                + "[::1]:65536, [.::1]:5, [.a:]:5, [:.]:5"));
    }

    @Test
    void noMoreHostsAreTakenThanAFew() {
        assertEquals(HostList.MAX_HOSTS, HostList.parse("1.2.3.4:5,".repeat(1000)).size());
        assertEquals(List.of(), HostList.parse(null));
    }
}
