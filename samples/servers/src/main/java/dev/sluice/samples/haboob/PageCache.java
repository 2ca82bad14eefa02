package dev.sluice.samples.haboob;

import dev.sluice.samples.web.Exchange;
import dev.sluice.samples.web.protocol.Method;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageHandler;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's PageCache: answers requests for cached pages, and passes others to CacheMiss. Of several requests for the
 * same page only one reads it, and the others wait. In each batch, hits come before misses and short pages before long
 * ones; as the order applies only within a batch, no request starves.
 */
final class PageCache implements StageHandler<PageCacheEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(PageCache.class);
    /** Completed reads, which release other requests; then hits, the short ones first; then misses. */
    private static final Comparator<PageCacheEvent> ORDER = Comparator.comparingLong(PageCache::rank);

    private final Pages pages;
    private EventQueue<Object> misses;
    private Answers answers;

    PageCache(Pages pages) {
        this.pages = pages;
    }

    @Override
    public void handleStart(StageContext context) {
        misses = context.queue(StageName.CACHE_MISS, Object.class);
        answers = Answers.of(context, pages);
    }

    private static long rank(PageCacheEvent event) {
        if (!(event instanceof PageRequest request)) {
            return -1;
        }
        return request.length() < 0 ? Long.MAX_VALUE : request.length();
    }

    @Override
    public void handleEvents(EventBatch<PageCacheEvent> batch) {
        if (batch.remaining() > 1) {
            for (int i = 0; i < batch.remaining(); i++) {
                if (batch.peek(i) instanceof PageRequest request) {
                    request.setLength(pages.length(request.key()));
                }
            }
            batch.sort(ORDER);
        }
        for (PageCacheEvent event = batch.next(); event != null; event = batch.next()) {
            if (event instanceof PageRequest request) {
                request(request);
            } else {
                read((PageRead) event);
            }
        }
    }

    private void request(PageRequest request) {
        if (request.exchange().isPointless()) {
            request.exchange().made();
            return;
        }
        Page page = pages.find(request.key());
        if (page != null && page.isDue()) {
            request.setChecked(page);
            miss(request);
        } else if (page != null) {
            answer(request.exchange(), page);
        } else if (request.exchange().request().method() == Method.HEAD) {
            // The octets are not needed.
            pages.readAlone(request);
            miss(request);
        } else if (!pages.join(request)) {
            miss(request);
        }
    }

    private void answer(Exchange exchange, Page page) {
        try {
            exchange.reply().close();
            page.answer(exchange.reply());
            answers.send(exchange);
        } catch (RuntimeException e) {
            // There may be others that wait for the same page.
            LOG.warn("{} has failed", this, e);
            answers.failed(exchange);
        }
    }

    private void miss(PageRequest request) {
        if (misses.enqueue(request) == EnqueueResult.ACCEPTED) {
            return;
        }
        boolean reads = !request.isAlone() && request.checked() == null;
        refuse(request);
        if (reads) {
            // Requests that wait for it would wait forever.
            pages.end(request).forEach(this::refuse);
        }
    }

    private void refuse(PageRequest request) {
        request.releaseChecked();
        answers.busy(request.exchange());
    }

    private void read(PageRead read) {
        if (read.page() == null) {
            // The result may differ for each of the others: they look themselves.
            for (PageRequest waiter : pages.end(read.request())) {
                pages.readAlone(waiter);
                miss(waiter);
            }
            return;
        }
        List<PageRequest> waiters = pages.add(read.request(), read.page());
        answer(read.request().exchange(), read.page());
        waiters.forEach(waiter -> answer(waiter.exchange(), read.page()));
    }

    @Override
    public void handleFailure(PageCacheEvent event, Throwable cause) {
        LOG.warn("{} has failed", this, cause);
        if (event instanceof PageRequest request) {
            request.releaseChecked();
            answers.failed(request.exchange());
            pages.end(request).forEach(waiter -> answers.failed(waiter.exchange()));
        }
    }

    @Override
    public void handleDiscarded(PageCacheEvent event) {
        if (event instanceof PageRequest request) {
            answers.busy(request.exchange());
        }
    }

    @Override
    public String toString() {
        return StageName.PAGE_CACHE;
    }
}
