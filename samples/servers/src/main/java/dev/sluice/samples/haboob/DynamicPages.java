package dev.sluice.samples.haboob;

import dev.sluice.samples.web.Exchange;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A stage that makes pages: the paper's stage for dynamic ones, and its bottleneck. */
final class DynamicPages extends ExchangeHandler {

    private final String name;
    private final Map<String, DynamicPage> pages;

    DynamicPages(String name, Pages memory, List<DynamicPage> pages) {
        super(memory);
        this.name = name;
        this.pages = pages.stream().collect(Collectors.toMap(DynamicPage::path, Function.identity()));
    }

    @Override
    void handle(Exchange exchange) throws Exception {
        DynamicPage.Content content = pages.get(exchange.request().path()).make(exchange.request());
        exchange.reply().close();
        exchange.reply().answer(content.type(), content.octets());
        exchange.reply().field("Cache-Control", "no-store");
        answers().send(exchange);
    }

    @Override
    public String toString() {
        return name;
    }
}
