package dev.sluice.leaderfollowers;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract of pools on Windows. */
@Tag("windows")
class WindowsPoolTest {

    @Nested
    class Dispatch extends DispatchTest {
    }

    @Nested
    class PromotionOrders extends PromotionOrderTest {
    }

    @Nested
    class Membership extends MembershipTest {
    }

    @Nested
    class Ends extends EndTest {
    }

    @Nested
    class ConcurrentHandles extends ConcurrentHandleTest {
    }

    @Nested
    class Timers extends PoolTimerTest {
    }

    @Nested
    class SeveralLeaders extends MultipleLeadersTest {
    }

    @Nested
    class Bound extends BoundPoolTest {
    }

    @Nested
    class Stress extends PoolStressTest {
    }
}
