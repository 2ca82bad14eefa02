package dev.sluice.samples.compare.protocol;

import dev.sluice.handle.SocketStream;
import dev.sluice.samples.conversation.Conversation;
import dev.sluice.samples.conversation.KernelWait;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Receives requests, has the service answer them, and sends the responses. */
final class FramedConversation implements Conversation {

    private final SocketStream stream;
    private final RequestHandler service;
    /** From position to limit, what has been received and not been served or queued. */
    private final ByteBuffer received = ByteBuffer.allocateDirect(Frames.BUFFER).limit(0);
    private final ByteBuffer response = ByteBuffer.allocateDirect(Frames.BUFFER).limit(0);
    /** The requests to serve: the received bytes, or the copy made by the asynchronous half. */
    private ByteBuffer requests = received;

    FramedConversation(SocketStream stream, RequestHandler service) {
        this.stream = stream;
        this.service = service;
    }

    /**
     * Receives complete requests into memory that is allocated for them, as in the Leader/Followers paper (section 2):
     * besides the queue, this is its objection to Half-Sync/Half-Async.
     */
    @Override
    public boolean prepare() throws IOException {
        if (hasWork()) {
            return true;
        }
        int count;
        int size;
        do {
            count = receive();
            size = completeRequests();
        } while (count > 0 && size == 0);
        if (size == 0) {
            // The end of the stream will be seen again.
            return count == SocketStream.END_OF_STREAM;
        }
        requests = ByteBuffer.allocate(size).put(0, received, received.position(), size);
        received.position(received.position() + size);
        return true;
    }

    /** {@return the bytes of all requests that have been received completely} */
    private int completeRequests() throws IOException {
        int begin = received.position();
        for (int length = Frames.complete(received); length >= 0; length = Frames.complete(received)) {
            received.position(received.position() + Frames.HEADER + length);
        }
        int size = received.position() - begin;
        received.position(begin);
        return size;
    }

    private boolean hasWork() throws IOException {
        return response.hasRemaining() || Frames.complete(requests) >= 0;
    }

    @Override
    public Next advance(long since) throws IOException {
        if (!hasWork()) {
            requests = received;
            // Only once, so that other connections are served: a fast client would otherwise occupy the thread.
            int count = receive();
            if (count <= 0) {
                return count == 0 ? Next.RECEIVE : Next.CLOSE;
            }
        }
        return answer();
    }

    private int receive() throws IOException {
        received.compact();
        try {
            return stream.receive(received);
        } finally {
            received.flip();
        }
    }

    private Next answer() throws IOException {
        while (true) {
            if (response.hasRemaining()) {
                stream.send(response);
                if (response.hasRemaining()) {
                    return Next.SEND;
                }
            }
            int length = Frames.complete(requests);
            if (length < 0) {
                return Next.RECEIVE;
            }
            Frames.serve(service, requests, length, response);
        }
    }

    @Override
    public boolean await(Next next) throws IOException {
        if (next == Next.SEND) {
            KernelWait.send(stream, response);
            return true;
        }
        received.compact();
        try {
            return KernelWait.receive(stream, received);
        } finally {
            received.flip();
        }
    }
}
