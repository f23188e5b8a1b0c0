package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.sql.SQLException;
import java.util.random.RandomGenerator;

/** All interactions of one client. */
final class Interactions {
    private final Browsing browsing;
    private final Cart cart;
    private final Buying buying;
    private final Inquiring inquiring;
    private final Administering administering;

    /** @param cartId the row of {@code shopping_cart} that is this client's alone */
    Interactions(PreparedSql sql, TpcwScale scale, BenchmarkDialect dialect, RandomGenerator random, int cartId) {
        Promotion promotion = new Promotion(sql, scale, dialect, random);
        browsing = new Browsing(sql, scale, random, promotion);
        cart = new Cart(sql, scale, random, promotion, cartId);
        buying = new Buying(sql, dialect, random, cartId);
        inquiring = new Inquiring(sql, scale, random);
        administering = new Administering(sql, scale, random);
    }

    /** Runs the statements of one interaction; the transaction around them is the caller's. */
    InteractionOutcome run(Interaction interaction, Visit visit) throws SQLException {
        return switch (interaction) {
            case HOME -> browsing.home(visit);
            case NEWP -> browsing.newProducts();
            case BESS -> browsing.bestSellers();
            case PROD -> browsing.productDetail(visit);
            case SREQ -> browsing.searchRequest();
            case SRES -> browsing.searchResults();
            case SHOP -> cart.show(visit);
            case CREG -> inquiring.registration(visit);
            case BUYR -> buying.request(visit);
            case BUYC -> buying.confirm(visit);
            case ORDI -> inquiring.inquiry(visit);
            case ORDD -> inquiring.display(visit);
            case ADMR -> administering.request(visit);
            case ADMC -> administering.confirm(visit);
        };
    }
}
