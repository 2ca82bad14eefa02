package dev.sluice.proactor;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** What a proactor promises, on Windows. */
@Tag("windows")
class WindowsProactorTest {

    @Nested
    class Completing extends CompletionTest {
    }

    @Nested
    class Receiving extends StreamReceiveTest {
    }

    @Nested
    class ReceivingContinuously extends ContinuousReceiveTest {
    }

    @Nested
    class Sending extends StreamSendTest {
    }

    @Nested
    class Connecting extends AsyncConnectionTest {
    }

    @Nested
    class Datagrams extends AsyncDatagramTest {
    }

    @Nested
    class Files extends AsyncFileTest {
    }

    @Nested
    class Transmitting extends TransmitFileTest {
    }

    @Nested
    class Tickets extends TicketTest {
    }

    @Nested
    class Futures extends FutureTest {
    }

    @Nested
    class CancelledFutures extends FutureCancellationTest {
    }

    @Nested
    class CancelledFuturesCampaign extends FutureCancellationCampaignTest {
    }

    @Nested
    class Loop extends ProactorLoopTest {
    }

    @Nested
    class Threads extends ProactorThreadsTest {
    }

    @Nested
    class Closing extends ProactorCloseTest {
    }

    @Nested
    class FailingHooks extends FailingCompletionHookTest {
    }

    @Nested
    class Shared extends SharedProactorTest {
    }

    @Nested
    class SharedTimers extends SharedProactorTimersTest {
    }

    @Nested
    class SharedEnds extends SharedProactorEndTest {
    }
}
