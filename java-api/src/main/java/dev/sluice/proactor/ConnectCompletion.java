package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.SocketStream;
import java.io.IOException;

/** What has come of a {@link ConnectionAttempt}, beyond what the demultiplexer knows. */
final class ConnectCompletion extends Completion {

    ConnectCompletion(Completion connected, SocketStream stream) {
        fill(connected, stream, null);
    }

    ConnectCompletion(Completion cancelled, IOException reason) {
        fill(cancelled, null, reason);
    }
}
