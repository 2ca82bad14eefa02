package dev.sluice.reactor;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract of reactors on Windows. */
@Tag("windows")
class WindowsReactorTest {

    @Nested
    class Dispatch extends DispatchTest {
    }

    @Nested
    class Registrations extends RegistrationTest {
    }

    @Nested
    class EventLoops extends EventLoopTest {
    }

    @Nested
    class LoopThreads extends LoopThreadTest {
    }

    @Nested
    class ChangesInsideHooks extends ChangesInsideHooksTest {
    }

    @Nested
    class PausedHandlers extends PausedHandlerTest {
    }

    @Nested
    class UndrainedHandles extends UndrainedHandleTest {
    }

    @Nested
    class Close extends ReactorCloseTest {
    }

    @Nested
    class Timers extends ReactorTimerTest {
    }

    @Nested
    class Threads extends ReactorThreadSafetyTest {
    }

    @Nested
    class SuspendedHandles extends SuspendedHandleTest {
    }

    @Nested
    class Shared extends SharedReactorTest {
    }

    @Nested
    class SharedTimers extends SharedReactorTimersTest {
    }

    @Nested
    class SharedEnds extends SharedReactorEndTest {
    }
}
