package dev.sluice.samples.logging;

import dev.sluice.campaign.Campaign;
import dev.sluice.campaign.Fuzzing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Campaign.TAG)
class SyslogFuzzTest {

    @Test
    void streams() throws Exception {
        Fuzzing.run(SyslogStreams.class);
    }

    @Test
    void records() throws Exception {
        Fuzzing.run(SyslogRecords.class);
    }
}
