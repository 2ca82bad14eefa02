package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Recorder;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A call takes a little of the heap before it gets to the system. Others have all of it, and give it back. */
@EnabledOnOs({OS.LINUX, OS.WINDOWS})
class ScarceMemoryTest extends PoolContract {

    private final OutOfMemoryError lack = new OutOfMemoryError("thrown by the test");
    private FaultInjection faults;
    private LeaderFollowersPool poor;

    @BeforeEach
    void openPoorPool() throws Exception {
        faults = own(FaultInjection.install());
        poor = ownPool(openPool(PromotionOrder.LIFO));
    }

    private String waitCall() {
        return WaitFunctions.waiting(handleSet.demultiplexer());
    }

    /** {@return a handler that drains the pipe, registered} */
    private Recorder registered(Pipe pipe) throws Exception {
        Recorder reader = reader("reader", pipe);
        reader.register(poor, Interest.READ);
        return reader;
    }

    @Test
    void aWaitIsTriedAgain() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = registered(pipe);
        Members members = own(new Members(poor, 2));
        for (int round = 1; round <= 3; round++) {
            int before = faults.calls(waitCall());
            for (int n = 1; n <= 3; n++) {
                faults.throwNth(waitCall(), n, lack);
            }
            int expected = round;
            send(pipe);
            OtherThread.await(() -> reader.received() == expected && faults.calls(waitCall()) > before + 3);
        }
        assertEquals(2, poor.threads(ThreadRole.LEADER).size() + poor.threads(ThreadRole.FOLLOWER).size()
                + poor.threads(ThreadRole.PROCESSING).size());
        assertEquals(List.of(), List.copyOf(members.failures()));
    }

}
