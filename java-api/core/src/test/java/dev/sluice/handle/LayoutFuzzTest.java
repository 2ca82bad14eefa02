package dev.sluice.handle;

import dev.sluice.campaign.Campaign;
import dev.sluice.campaign.Fuzzing;
import dev.sluice.system.ControlData;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
@Tag(Campaign.TAG)
class LayoutFuzzTest {

    @Test
    void socketAddresses() throws Exception {
        Fuzzing.run(SocketAddressBytes.class);
    }

    @Test
    void controlData() throws Exception {
        Fuzzing.run(ControlData.class);
    }
}
