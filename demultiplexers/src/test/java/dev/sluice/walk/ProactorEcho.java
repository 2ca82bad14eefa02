package dev.sluice.walk;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;

/** Sends back what a proactor receives, out of the buffer that it came in. */
final class ProactorEcho extends EchoProgram implements CompletionHandler {

    private AsyncStream stream;
    private Proactor proactor;

    public static void main(String[] none) throws IOException, InterruptedException {
        new ProactorEcho().run();
    }

    @Override
    void serve(SocketStream near) throws IOException {
        try (Proactor opened = Proactor.open()) {
            proactor = opened;
            stream = new AsyncStream(proactor, near, this);
            stream.receiveContinuously(null);
            proactor.run();
        }
    }

    @Override
    public void handleCompletion(Completion completion) {
        if (completion.type() == OperationType.SEND) {
            sent(completion);
        } else {
            received(completion);
        }
    }

    private void received(Completion completion) {
        if (completion.isLast()) {
            stream.close();
            proactor.stop();
            return;
        }
        RetainedBuffer received = completion.buffer().retain();
        stream.send(received.bytes(), received);
    }

    private void sent(Completion completion) {
        ((RetainedBuffer) completion.token()).close();
        echoed();
    }
}
