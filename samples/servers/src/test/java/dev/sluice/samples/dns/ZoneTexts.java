package dev.sluice.samples.dns;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.FuzzTarget;

/** Any file is either a zone whose names can be queried, or rejected with a message. */
final class ZoneTexts implements FuzzTarget {

    @Override
    public void check(byte[] input) {
        String text = new String(input, UTF_8);
        HostNames.parse(text);
        try {
            Zone zone = ZoneFile.parse("fuzz.zone", text);
            assertTrue(zone.size() > 0);
            assertEquals(zone.origin(), DomainName.parse(zone.origin().toString(), null));
            assertEquals(1, zone.lookUp(zone.origin(), DnsMessage.SOA).answers().size());
        } catch (ZoneProblem e) {
            assertTrue(e.getMessage().startsWith("fuzz.zone:"), e::getMessage);
        }
    }
}
