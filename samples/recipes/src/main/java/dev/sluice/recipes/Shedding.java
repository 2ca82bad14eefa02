package dev.sluice.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.connection.Framer;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.ProactorGroup;
import dev.sluice.proactor.StreamHandler;
import dev.sluice.stages.DelayController;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Answers each line with work done by a stage, and sheds what it cannot do in time: at most 1,000 requests wait, and
 * under overload none is served that has waited for 100 ms.
 */
public final class Shedding implements StreamHandler {

    private record Request(AsyncStream client, String line) {
        void reply(String text) {
            client.output().reply(UTF_8.encode(text + " " + line + "\n"));
        }
    }

    private final EventQueue<Request> queue;
    private final Framer lines = Framer.lines(1024, this::line);
    private AsyncStream stream;

    private Shedding(EventQueue<Request> queue) {
        this.queue = queue;
    }

    @Override
    public void received(AsyncStream from, ProvidedBuffer buffer) throws Exception {
        stream = from;
        lines.append(buffer.bytes());
    }

    private void line(ByteBuffer line) {
        Request request = new Request(stream, UTF_8.decode(line).toString());
        stream.output().expectReply();                      // an orderly stop waits for it
        if (queue.enqueue(request) != EnqueueResult.ACCEPTED) {
            request.reply("busy");
        }
    }

    public static void main(String[] args) throws IOException {
        StageOptions<Request> options = new StageOptions<Request>().capacity(1_000).ownThreads(1, 8)
                .control(new DelayController(Duration.ofMillis(50)));
        StageHandler<Request> work = StageHandler.each(each -> each.reply("done"), late -> late.reply("late"));
        try (StageGraph graph = new StageGraph("shedding"); ProactorGroup group = ProactorGroup.open()) {
            EventQueue<Request> queue = graph.add("work", Request.class, work, options).queue();
            graph.start();
            AsyncAcceptor.listen(group, new InetSocketAddress(Integer.parseInt(args[0])), () -> new Shedding(queue));
            group.stopOnTermination(Duration.ofSeconds(5));
            group.run();
        }
    }
}
