package dev.sluice.samples.oltp.resp;

import dev.sluice.campaign.Campaign;
import dev.sluice.campaign.Fuzzing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Campaign.TAG)
class RespFuzzTest {

    @Test
    void requests() throws Exception {
        Fuzzing.run(RespRequests.class);
    }

    @Test
    void replies() throws Exception {
        Fuzzing.run(RespReplies.class);
    }

    @Test
    void replyBuffers() throws Exception {
        Fuzzing.run(RespReplyBuffers.class);
    }
}
