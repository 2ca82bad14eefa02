package dev.sluice.samples.dns;

import dev.sluice.campaign.Campaign;
import dev.sluice.campaign.Fuzzing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Campaign.TAG)
class DnsFuzzTest {

    @Test
    void queries() throws Exception {
        Fuzzing.run(DnsQueries.class);
    }

    @Test
    void zones() throws Exception {
        Fuzzing.run(ZoneTexts.class);
    }
}
