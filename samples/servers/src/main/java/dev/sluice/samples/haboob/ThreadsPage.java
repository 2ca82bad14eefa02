package dev.sluice.samples.haboob;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.samples.web.protocol.Request;
import java.util.stream.Collectors;

/** An example of a dynamic page: the threads of the server and what they do, so that one sees stages grow. */
final class ThreadsPage implements DynamicPage {

    @Override
    public String path() {
        return "/threads";
    }

    @Override
    public Content make(Request request) {
        String lines = Thread.getAllStackTraces().keySet().stream()
                .map(thread -> thread.getName() + " " + thread.getState() + "\n").sorted()
                .collect(Collectors.joining());
        return new Content("text/plain; charset=utf-8", lines.getBytes(UTF_8));
    }
}
