package dev.sluice.samples.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Master files, and what is wrong with them. */
@Tag(Depth.IN_QUICK)
class ZoneFileTest {

    private static final String BEGIN = "$TTL 60\nexample.org. SOA ns.example.org. hostmaster.example.org. 1 2 3 4 5\n";

    private static String data(String record, int type) throws ZoneProblem {
        Zone zone = ZoneFile.parse("test.zone", "$ORIGIN example.org.\n" + BEGIN + "a " + record + "\n");
        List<ResourceRecord> found = zone.lookUp(DomainName.parse("a.example.org.", null), type).answers();
        assertEquals(1, found.size());
        return HexFormat.of().formatHex(found.get(0).data());
    }

    @Test
    void recordsAreReadInAllTheirForms() throws Exception {
        assertEquals("000a0161076578616d706c65036f726700", data("7 in mx 10 a", 15));
        assertEquals("00000000000000000000ffffc0000201", data("IN 7 AAAA ::ffff:192.0.2.1", DnsMessage.AAAA));
        assertEquals("076578616d706c65036f726700", data("PTR @", 12));
        assertEquals("0140", data("TXT @", DnsMessage.TXT));
        assertEquals("02c3bc", data("TXT ü", DnsMessage.TXT));
        assertEquals("00", data("TXT \"\"", DnsMessage.TXT));
        assertEquals("03612e6200", data("PTR A\\.\\098.", 12));
        assertEquals("00", data("PTR .", 12));
    }

    @Test
    void ownersAreInherited() throws Exception {
        Zone zone = ZoneFile.parse("test.zone", BEGIN + "\n ; only a comment\n  TXT here\n\t( TXT \n  there )\n");
        assertEquals(2, zone.lookUp(zone.origin(), DnsMessage.TXT).answers().size());
        assertEquals("the zone example.org., 3 records", zone.toString());
    }

    @Test
    void timesHaveUnits() throws Exception {
        Zone zone = ZoneFile.parse("test.zone", BEGIN + " 1W TXT week\n");
        assertEquals(604_800, zone.lookUp(zone.origin(), DnsMessage.TXT).answers().get(0).ttl());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = true, value = {
        "A 192.0.2.1                        | 3: 'A' is relative, and there is no $ORIGIN",
        "a.example.org. A 192.0.2.256       | 3: '192.0.2.256' is not an IPv4 address",
        "a.example.org. A localhost         | 3: 'localhost' is not an IPv4 address",
        "a.example.org. AAAA 192.0.2.1      | 3: '192.0.2.1' is not an IPv6 address",
        "a.example.org. AAAA 1::2::3        | 3: '1::2::3' is not an IPv6 address",
        "a.example.org. A                   | 3: one value expected, found 0 words",
        "a.example.org. MX 65536 a.         | 3: '65536' is not a number from 0 to 65535",
        "a.example.org. TXT                 | 3: at least one string expected",
        "a.example.org. CH TXT x            | 3: class CH is not supported",
        "a.example.org. SRV 1 2 3 b.        | 3: 'SRV' is not a supported type of record: [A, NS,",
        "a.example.org.                     | 3: a record without a type",
        "a.example.net. TXT x               | 3: a.example.net. is not in the zone example.org.",
        "*.example.org. TXT x               | 3: *.example.org.: wildcards are not supported",
        "a.example.org. NS b.               | 3: a.example.org.: delegations are not supported",
        "example.org. SOA a. b. 1 2 3 4 5   | 3: a second record of type SOA",
        "example.org. CNAME a.              | 3: example.org. is an alias and has another record",
        "$INCLUDE other                     | 3: $INCLUDE is not supported, only $ORIGIN and $TTL are",
        "$TTL                               | 3: $TTL takes one value",
        "$TTL 99999w                        | 3: '99999w' is longer than 68 years",
        "@ TXT x                            | 3: @ stands for the $ORIGIN, and there is none",
        "a..example.org. TXT x              | 3: 'a..example.org.' has a label of 0 octets",
        "a\\300.example.org. TXT x          | 3: 'a\\300.example.org.' escapes 300, which is not an octet",
        "a.example.org. PTR b\\             | 3: 'b\\' ends in the middle of an escape",
        "a.example.org. TXT ( x             | 3: a parenthesis is not closed",
        "a.example.org. TXT x )             | 3: a parenthesis is closed that is not open",
        "a.example.org. TXT \"x             | 3: a quote is not closed on its line"})
    void problemsAreReportedWithTheirLine(String line, String problem) {
        ZoneProblem found = assertThrows(ZoneProblem.class, () -> ZoneFile.parse("test.zone", BEGIN + line + "\n"));
        assertTrue(found.getMessage().startsWith("test.zone:" + problem), found::getMessage);
    }

    @Test
    void aZoneBeginsWithItsAuthority() {
        assertProblem("", "test.zone: no records");
        assertProblem("a. 1 TXT x", "test.zone:1: the first record must be of type SOA");
        assertProblem(" 1 TXT x", "test.zone:1: the first record has no owner");
        assertProblem("a. SOA . . 1 2 3 4 5", "test.zone:1: a record without a time to live, and no $TTL before it");
        String label = "x".repeat(64);
        assertProblem(BEGIN + label + ". TXT x", "test.zone:3: '" + label + ".' has a label of 64 octets");
        String name = "xx.".repeat(85);
        assertProblem(BEGIN + name + " TXT x", "test.zone:3: '" + name + "' is longer than 255 octets");
        assertProblem(BEGIN + "example.org. TXT " + "x".repeat(256), "test.zone:3: a string of 256 octets");
    }

    private static void assertProblem(String text, String problem) {
        ZoneProblem found = assertThrows(ZoneProblem.class, () -> ZoneFile.parse("test.zone", text));
        assertTrue(found.getMessage().startsWith(problem), found::getMessage);
    }
}
