package dev.sluice.samples.dns;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is replied to what query. */
@Tag(Depth.IN_QUICK)
class ResponderTest {

    static final String ZONE = """
            $ORIGIN example.org.
            $TTL 1h
            @       SOA ns hostmaster 7 2h 30m 2w 5m
                    NS  ns
                    MX  10 mail.example.net.
            ns      A   192.0.2.1
                    AAAA 2001:db8::1
            www     CNAME ns
            ftp     CNAME www
            away    CNAME elsewhere.example.net.
            gone    CNAME nowhere
            loop    CNAME pool
            pool    CNAME loop
            to.loop CNAME loop
            self    CNAME self
            a0      CNAME a1
            a1      CNAME a2
            a2      CNAME a3
            a3      CNAME a4
            a4      CNAME a5
            a5      CNAME a6
            a6      CNAME a7
            a7      CNAME a8
            a8      CNAME a9
            a9      CNAME ns
            deep.er 60 IN A 192.0.2.2
            text    IN 60 TXT "a text; with \\"quotes\\"" plain \\065
            many    TXT ( "%1$s" "%1$s"   ; two
                          "%1$s" )
            huge    TXT "%1$s" "%1$s" "%1$s" "%1$s" "%1$s" "%1$s" "%1$s"
            """.formatted("x".repeat(200));

    private static final String ABSENCE = "example.org. 6 300 ";

    private final QueryCounts counts = new QueryCounts();
    private final Zone zone = zone(ZONE);
    private final Responder responder = new Responder(() -> zone, counts);

    static Zone zone(String text) {
        try {
            return ZoneFile.parse("example.zone", text);
        } catch (ZoneProblem e) {
            throw new AssertionError(e);
        }
    }

    private byte[] octets(byte[] query) {
        ByteBuffer reply = ByteBuffer.allocate(Responder.LONGEST_REPLY);
        if (!responder.respond(ByteBuffer.wrap(query), false, reply)) {
            return null;
        }
        return Arrays.copyOf(reply.array(), reply.position());
    }

    private DnsMessage reply(byte[] query) {
        return DnsMessage.parse(octets(query));
    }

    private DnsMessage ask(String name, int type) {
        DnsMessage reply = reply(DnsMessage.query(4711, name, type));
        assertEquals(4711, reply.id());
        assertEquals(name + ". " + type + " 1", reply.question());
        return reply;
    }

    @Test
    void answersWithAddresses() {
        DnsMessage reply = ask("ns.example.org", DnsMessage.A);
        assertEquals(0x8500, reply.flags());
        assertEquals(List.of("ns.example.org. 1 3600 c0000201"), reply.answers());
        assertEquals(List.of(), reply.authority());
        assertEquals(List.of(), reply.additional());
        assertEquals(List.of("ns.example.org. 28 3600 20010db8000000000000000000000001"),
                ask("ns.example.org", DnsMessage.AAAA).answers());
        assertEquals(2, ask("ns.example.org", DnsMessage.ANY).answers().size());
    }

    @Test
    void answersWithAllStringsOfATextRecord() {
        assertEquals(List.of("text.example.org. 16 60 15"
                + "6120746578743b2077697468202271756f74657322" + "05706c61696e" + "0141"),
                ask("text.example.org", DnsMessage.TXT).answers());
    }

    @Test
    void namesAreEqualInEitherCaseAndComeBackAsTheyWere() {
        assertEquals(List.of("Ns.EXAMPLE.org. 1 3600 c0000201"), ask("Ns.EXAMPLE.org", DnsMessage.A).answers());
    }

    @Test
    void aliasesAreFollowed() {
        assertEquals(List.of("ftp.example.org. 5 3600 03777777076578616d706c65036f726700",
                        "www.example.org. 5 3600 026e73076578616d706c65036f726700", "ns.example.org. 1 3600 c0000201"),
                ask("ftp.example.org", DnsMessage.A).answers());
        DnsMessage away = ask("away.example.org", DnsMessage.A);
        assertEquals(1, away.answers().size());
        assertEquals(0, away.code());
        DnsMessage gone = ask("gone.example.org", DnsMessage.A);
        assertEquals(3, gone.code());
        assertEquals(1, gone.answers().size());
        assertTrue(gone.authority().get(0).startsWith(ABSENCE));
        assertEquals(1, ask("ftp.example.org", 5).answers().size());
    }

    @Test
    void aliasesThatLeadToEachOtherAreAFailure() {
        for (String name : List.of("loop", "pool", "to.loop", "self")) {
            DnsMessage reply = ask(name + ".example.org", DnsMessage.A);
            assertEquals(2, reply.code());
            assertEquals(List.of(), reply.answers());
            assertEquals(List.of(), reply.authority());
            assertEquals(1, ask(name + ".example.org", 5).answers().size(), "the alias itself");
        }
    }

    /** It is not said that what was not looked for is absent. */
    @Test
    void followsALimitedNumberOfAliases() {
        DnsMessage reply = ask("a0.example.org", DnsMessage.A);
        assertEquals(0, reply.code());
        assertEquals(9, reply.answers().size());
        assertEquals(List.of(), reply.authority());
        assertEquals(List.of("ns.example.org. 1 3600 c0000201"),
                ask("a8.example.org", DnsMessage.A).answers().subList(2, 3));
    }

    @Test
    void answersWithTheAuthorityIfANameIsAbsent() {
        DnsMessage noName = ask("none.example.org", DnsMessage.A);
        assertEquals(3, noName.code());
        assertTrue(noName.isAuthoritative());
        assertTrue(noName.authority().get(0).startsWith(ABSENCE), noName::toString);
        DnsMessage noRecord = ask("deep.er.example.org", DnsMessage.AAAA);
        assertEquals(0, noRecord.code());
        assertTrue(noRecord.authority().get(0).startsWith(ABSENCE), noRecord::toString);
        // Above a name that there is, there is one, too.
        assertEquals(0, ask("er.example.org", DnsMessage.A).code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.net", "org", "", "ns.example.org.evil", "xexample.org"})
    void othersAreToBeAskedForOtherZones(String name) {
        DnsMessage reply = reply(DnsMessage.query(1, name, DnsMessage.A));
        assertEquals(5, reply.code());
        assertFalse(reply.isAuthoritative());
    }

    @Test
    void onlyTheClassInternetIsServed() {
        assertEquals(5, reply(DnsMessage.query(1, 0, "ns.example.org", DnsMessage.A, 3, -1, 0)).code());
        assertEquals(1, reply(DnsMessage.query(1, 0, "ns.example.org", DnsMessage.A, 255, -1, 0)).answers().size());
    }

    @Test
    void otherKindsOfQueriesAreNotImplemented() {
        for (int kind = 1; kind < 16; kind++) {
            byte[] reply = octets(DnsMessage.query(9, kind << 11, "ns.example.org", DnsMessage.A, 1, -1, 0));
            assertEquals(4, DnsMessage.parse(reply).code());
            assertEquals(kind, DnsMessage.parse(reply).flags() >>> 11 & 0xF);
            assertEquals(12, reply.length);
        }
    }

    @Test
    void truncatedRepliesAreMarked() {
        DnsMessage plain = ask("many.example.org", DnsMessage.TXT);
        assertTrue(plain.isTruncated());
        assertEquals(List.of(), plain.answers());
        DnsMessage extended = reply(DnsMessage.query(1, 0, "many.example.org", DnsMessage.TXT, 1, 4096, 0));
        assertFalse(extended.isTruncated());
        assertEquals(1, extended.answers().size());
        assertEquals(List.of(". 41 1232 0 "), extended.additional());
        byte[] huge = octets(DnsMessage.query(1, 0, "huge.example.org", DnsMessage.TXT, 1, 65_535, 0));
        assertTrue(DnsMessage.parse(huge).isTruncated());
        // A client that takes less than it must gets what it must take.
        assertEquals(1, reply(DnsMessage.query(1, 0, "ns.example.org", DnsMessage.A, 1, 0, 0)).answers().size());
    }

    @Test
    void anUnknownVersionOfTheExtensionIsRefused() {
        DnsMessage reply = reply(DnsMessage.query(1, 0, "ns.example.org", DnsMessage.A, 1, 1232, 1));
        assertEquals(0, reply.code());
        assertEquals(List.of(". 41 1232 " + (1 << 24) + " "), reply.additional());
        assertEquals(List.of(), reply.answers());
    }

    @Test
    void whatIsMalformedIsCalledSo() {
        byte[] query = DnsMessage.query(77, "ns.example.org", DnsMessage.A);
        for (int length = 12; length < query.length; length++) {
            assertMalformed(Arrays.copyOf(query, length));
        }
        assertMalformed(Arrays.copyOf(query, query.length + 1));
        for (int count = 4; count < 12; count += 2) {
            byte[] wrong = query.clone();
            wrong[count + 1] ^= 2;
            assertMalformed(wrong);
        }
        byte[] longLabel = query.clone();
        longLabel[12] = 64;
        assertMalformed(longLabel);
        byte[] loop = query.clone();
        loop[12] = (byte) 0xC0;
        loop[13] = 12;
        assertMalformed(loop);
        loop[13] = 4;
        assertMalformed(loop);
        byte[] twice = Arrays.copyOf(DnsMessage.query(77, 0, "a", 1, 1, 512, 0), 12 + 7 + 22);
        System.arraycopy(twice, 19, twice, 30, 11);
        twice[11] = 2;
        assertMalformed(twice);
        assertEquals(query.length - 12 + 1 + 4 + 3 + 1, counts.malformed.sum());
    }

    private void assertMalformed(byte[] query) {
        byte[] reply = octets(query);
        assertEquals(12, reply.length);
        assertEquals(1, DnsMessage.parse(reply).code());
        assertEquals(77, DnsMessage.parse(reply).id());
    }

    @Test
    void whatIsNoQueryIsDropped() {
        byte[] query = DnsMessage.query(1, "ns.example.org", DnsMessage.A);
        for (int length = 0; length < 12; length++) {
            assertNull(octets(Arrays.copyOf(query, length)));
        }
        // Two servers must not talk to each other forever.
        assertNull(octets(octets(query)));
        assertEquals(13, counts.dropped.sum());
    }

    @Test
    void namesOfTheHostsFileAreServed() {
        HostNames hosts = HostNames.parse("""
                # comment
                127.0.0.1   localhost me   # me, too
                ::1         localhost
                fe80::1%eth0 scoped
                1.2.3       short
                192.0.2.7   web.example.org
                """);
        Reply both = hosts.lookUp(DomainName.parse("LocalHost.", null), DnsMessage.ANY);
        assertEquals(List.of(RecordType.A, RecordType.AAAA),
                both.answers().stream().map(ResourceRecord::type).toList());
        assertArrayEquals(new byte[] {127, 0, 0, 1}, both.answers().get(0).data());
        Reply noText = hosts.lookUp(DomainName.parse("me.", null), DnsMessage.TXT);
        assertEquals(new Reply(ResponseCode.NOERROR, List.of(), List.of()), noText);
        assertEquals(Reply.REFUSED, hosts.lookUp(DomainName.parse("scoped.", null), DnsMessage.ANY));
        assertEquals(Reply.REFUSED, hosts.lookUp(DomainName.parse("short.", null), DnsMessage.ANY));
        assertEquals("the hosts file, 3 names", hosts.toString());
    }
}
