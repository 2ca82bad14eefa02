package dev.sluice.samples.web.protocol;

import dev.sluice.campaign.Campaign;
import dev.sluice.campaign.Fuzzing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Campaign.TAG)
class HttpFuzzTest {

    @Test
    void requests() throws Exception {
        Fuzzing.run(HttpRequests.class);
    }

    @Test
    void values() throws Exception {
        Fuzzing.run(HttpValues.class);
    }

    @Test
    void ranges() throws Exception {
        Fuzzing.run(HttpRanges.class);
    }
}
