package dev.sluice.connection;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Acceptor, Connector and service handlers where several threads dispatch, on Windows. */
@Tag("windows")
class WindowsConnectionTest {

    @Nested
    class SeveralThreads extends SeveralThreadsTest {
    }
}
