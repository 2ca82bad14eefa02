package dev.sluice.benchmarks.lucene;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.hnsw.FlatVectorScorerUtil;
import org.apache.lucene.codecs.lucene102.Lucene102HnswBinaryQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99FlatVectorsFormat;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.util.IOUtils;

/**
 * Vectors of one bit per dimension in a graph, and beside them the full ones. The files are those of Lucene's own
 * format, which shows the full vectors without the input that they are read from; here that input is there, so that a
 * search can prefetch what it scores again.
 */
public final class RescoredVectorsFormat extends KnnVectorsFormat {

    private static final int MAX_NEIGHBOURS = 16;
    private static final int BEAM_WIDTH = 64;

    private final KnnVectorsFormat quantized =
            new Lucene102HnswBinaryQuantizedVectorsFormat(MAX_NEIGHBOURS, BEAM_WIDTH);
    private final KnnVectorsFormat full =
            new Lucene99FlatVectorsFormat(FlatVectorScorerUtil.getLucene99FlatVectorsScorer());

    /** Creates the format; Lucene does so when it opens an index. */
    public RescoredVectorsFormat() {
        super("SluiceRescored");
    }

    @Override
    public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
        return quantized.fieldsWriter(state);
    }

    @Override
    public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
        KnnVectorsReader graph = quantized.fieldsReader(state);
        Closeable unused = graph;
        try {
            KnnVectorsReader reader = new Reader(graph, full.fieldsReader(state));
            unused = null;
            return reader;
        } finally {
            IOUtils.close(unused);
        }
    }

    @Override
    public int getMaxDimensions(String field) {
        return quantized.getMaxDimensions(field);
    }

    /** Searches the graph, and has the full vectors. */
    private static final class Reader extends KnnVectorsReader {

        private final KnnVectorsReader graph;
        private final KnnVectorsReader full;

        Reader(KnnVectorsReader graph, KnnVectorsReader full) {
            this.graph = graph;
            this.full = full;
        }

        @Override
        public void checkIntegrity() throws IOException {
            graph.checkIntegrity();
        }

        @Override
        public FloatVectorValues getFloatVectorValues(String field) throws IOException {
            return full.getFloatVectorValues(field);
        }

        @Override
        public ByteVectorValues getByteVectorValues(String field) throws IOException {
            return full.getByteVectorValues(field);
        }

        @Override
        public void search(String field, float[] target, KnnCollector collector, AcceptDocs accepted)
                throws IOException {
            graph.search(field, target, collector, accepted);
        }

        @Override
        public void search(String field, byte[] target, KnnCollector collector, AcceptDocs accepted)
                throws IOException {
            graph.search(field, target, collector, accepted);
        }

        @Override
        public Map<String, Long> getOffHeapByteSize(FieldInfo field) {
            return graph.getOffHeapByteSize(field);
        }

        @Override
        public void close() throws IOException {
            IOUtils.close(graph, full);
        }
    }
}
